#include "adapter/certificate/certificate.h"

#include <catch2/catch.hpp>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

/// What is in a file that holds these answers.
std::vector<Certificate> round_trip(const History& history, std::vector<LevelAnswer> answers) {
  const TemporaryFile file;
  Verdict verdict;
  verdict.levels = std::move(answers);
  REQUIRE(write_certificates(file.path(), history, verdict).ok());
  Result<std::vector<Certificate>> read =
      read_certificates(file.path(), [&](std::string_view) { return &history; });
  REQUIRE(read.ok());
  return std::move(read).value();
}

TEST_CASE("certificate: what is written is read back") {
  const History history = register_history("wx1; wy1; ?wx1; rx1 ry_");
  const KeyId x{0};
  const KeyId y{1};
  const Witness serial = {{{TxnId{1}}, {TxnId{0}}, {TxnId{3}}},
                          {{TxnId{3}, x, TxnId{2}}, {TxnId{3}, y, TxnId::none()}}};
  Witness snapshot;
  for (std::uint32_t t = 0; t < 4; ++t) {
    snapshot.order.push_back({TxnId{t}, false});
  }
  for (std::uint32_t t = 4; t-- > 0;) {
    snapshot.order.push_back({TxnId{t}, true});
  }
  const Refutation refutation = {
      {{{{.first = TxnId{0}, .second = TxnId{1}},
         {.kind = Choice::Kind::kReads,
          .holds = false,
          .first = TxnId{3},
          .second = TxnId::none(),
          .key = x},
         {.kind = Choice::Kind::kReads, .first = TxnId{3}, .second = TxnId{2}, .key = x},
         {.kind = Choice::Kind::kTookEffect, .holds = false, .first = TxnId{2}}},
        {{TxnId{0}, TxnId{1}, Relation::kWw, x},
         {TxnId{1}, TxnId{2}, Relation::kWr, y},
         {TxnId{2}, TxnId{3}, Relation::kRw, x, TxnId{1}},
         {TxnId{2}, TxnId{3}, Relation::kRw, x},
         {TxnId{3}, TxnId{0}, Relation::kProcess},
         {TxnId{3}, TxnId{0}, Relation::kRealtime}}},
       {}}};
  const auto certificates = round_trip(
      history, {{.model = Model::kPl3, .validity = Validity::kValid, .witness = serial},
                {.model = Model::kPlSi, .validity = Validity::kValid, .witness = snapshot},
                {.model = Model::kPrefix, .validity = Validity::kUnknown},
                {.model = Model::kPlSs, .validity = Validity::kInvalid, .refutation = refutation}});
  REQUIRE(certificates.size() == 3);
  CHECK(certificates[0].model == Model::kPl3);
  CHECK(certificates[0].workload == Workload::kRwRegister);
  CHECK(certificates[0].transactions == history.txn_count());
  CHECK(certificates[0].operations == history.op_count());
  CHECK(std::get<Witness>(certificates[0].evidence).order == serial.order);
  CHECK(std::get<Witness>(certificates[0].evidence).reads == serial.reads);
  CHECK(std::get<Witness>(certificates[1].evidence).order == snapshot.order);
  CHECK(certificates[2].model == Model::kPlSs);
  const auto& steps = std::get<Refutation>(certificates[2].evidence).steps;
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].clause == refutation.steps[0].clause);
  CHECK(steps[0].cycle == refutation.steps[0].cycle);
  CHECK((steps[1].clause.empty() && steps[1].cycle.empty()));
}

TEST_CASE("certificate: long orders take several lines") {
  std::string text = "wx0";
  for (int i = 1; i < 2500; ++i) {
    text += "; wx" + std::to_string(i);
  }
  const History history = register_history(text);
  Witness witness;
  for (std::uint32_t t = 0; t < 2500; ++t) {
    witness.order.push_back({TxnId{t}});
  }
  const auto certificates = round_trip(
      history, {{.model = Model::kPl3, .validity = Validity::kValid, .witness = witness}});
  REQUIRE(certificates.size() == 1);
  CHECK(std::get<Witness>(certificates[0].evidence).order == witness.order);
}

TEST_CASE("certificate: what single reads refute needs no step but the last") {
  const History history = register_history("rx1");
  const auto certificates =
      round_trip(history, {{.model = Model::kPl3, .validity = Validity::kInvalid}});
  REQUIRE(certificates.size() == 1);
  const auto& steps = std::get<Refutation>(certificates[0].evidence).steps;
  REQUIRE(steps.size() == 1);
  CHECK((steps[0].clause.empty() && steps[0].cycle.empty()));
}

TEST_CASE("certificate: a file that cannot be written") {
  const History history = register_history("wx1");
  const Status status = write_certificates("/nowhere/at/all", history, {});
  REQUIRE(!status.ok());
  CHECK(status.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
