// The names of the classical anomalies on rows.
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/argue/argue.h"
#include "engine/certify/rows/rows_proof.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

ArgueOptions options_of(Model model) {
  if (model == Model::kPl2 || model == Model::kPl299) {
    return {
        .level = {.visibility = Visibility::kSerial},
        .old_versions = model == Model::kPl2 ? OldVersions::kOfReads : OldVersions::kOfPredicates};
  }
  return {.level = order_level(model).value()};
}

/// The name of what refutes the level, `valid`, or `no name`. Certification agrees with the name,
/// and with no other.
std::string name_at(Model model, const History& history) {
  ArgueResult result = argue_rows(history, options_of(model));
  if (result.validity != Validity::kInvalid) {
    return result.validity == Validity::kValid ? "valid" : "unknown";
  }
  const RowsProofEvidence proof = {.model = model, .steps = std::move(result.proof)};
  const std::optional<AnomalyType> type = class_of_proof(history, proof);
  if (!type) {
    return "no name";
  }
  CHECK(check_rows_proof(history, *type, proof) == std::nullopt);
  const AnomalyType other = *type == AnomalyType::kG2Item ? AnomalyType::kG0 : AnomalyType::kG2Item;
  CHECK(check_rows_proof(history, other, proof).has_value());
  return std::string(name(*type));
}

struct Classic {
  std::string_view what;
  /// After two rows were inserted.
  std::string_view lines;
  /// At read committed, repeatable read, snapshot isolation, and serializability.
  std::array<std::string_view, 4> names;
};

constexpr std::string_view kValid = "valid";

constexpr std::array kClassics = {
    Classic{"aborted read",
            "1!: [:update 1 {:a 1}]\n"
            "2: [:r 1 {:a 1}]",
            {"G1a", "G1a", "G1a", "G1a"}},
    Classic{"aborted read by a predicate",
            "1!: [:insert 3 {:a 7}]\n"
            "2: [:rp [:= :a 7] {3 {:a 7}}]",
            {"G1a", "G1a", "G1a", "G1a"}},
    Classic{"intermediate read",
            "1: [:update 1 {:a 1}] [:update 1 {:a 2}]\n"
            "2: [:r 1 {:a 1}]",
            {"G1b", "G1b", "G1b", "G1b"}},
    Classic{"intermediate read by a predicate",
            "1: [:update 1 {:a 7}] [:update 1 {:a 8}]\n"
            "2: [:rp [:= :a 7] {1 {:a 7}}]",
            {"G1b", "G1b", "G1b", "G1b"}},
    Classic{"an unwritten value",
            "1: [:r 1 {:a 99}]",
            {"garbage-read", "garbage-read", "garbage-read", "garbage-read"}},
    Classic{"circular information flow",
            "1: [:update 1 {:a 1}] [:r 2 {:a 2}]\n"
            "2: [:update 2 {:a 2}] [:r 1 {:a 1}]",
            {"G1c", "G1c", "G1c", "G1c"}},
    Classic{"circular information flow by predicates",
            "1: [:insert 3 {:a 5}] [:rp [:= :a 6] {4 {:a 6}}]\n"
            "2: [:insert 4 {:a 6}] [:rp [:= :a 5] {3 {:a 5}}]",
            {"G1c", "G1c", "G1c", "G1c"}},
    Classic{"fractured read",
            "1: [:update 1 {:a 1}] [:update 2 {:a 1}]\n"
            "2: [:r 1 {:a 1}] [:r 2 {:a 0}]",
            {kValid, "G-single-item", "G-single-item", "G-single-item"}},
    Classic{"read skew",
            "1: [:update 1 {:a 1}] [:update 2 {:a 1}]\n"
            "2: [:r 1 {:a 0}] [:r 2 {:a 1}]",
            {kValid, "G-single-item", "G-single-item", "G-single-item"}},
    Classic{"a row torn between two of its columns",
            "1: [:update 1 {:a 1 :b 1}]\n"
            "2: [:r 1 {:a 1 :b 0}]",
            {"garbage-read", "G-single-item", "G-single-item", "G-single-item"}},
    Classic{"a read that cannot be repeated",
            "1: [:update 1 {:a 1}]\n"
            "2: [:r 1 {:a 0}] [:r 1 {:a 1}]",
            {kValid, "G-single-item", "G-single-item", "G-single-item"}},
    Classic{"phantom in one transaction",
            "1: [:insert 3 {:a 7}]\n"
            "2: [:rp [:= :a 7] {}] [:rp [:= :a 7] {3 {:a 7}}]",
            {kValid, kValid, "G-single", "G-single"}},
    Classic{"phantom between two transactions",
            "1: [:rp [:= :a 7] {}] [:insert 3 {:a 7}]\n"
            "2: [:rp [:= :a 7] {}] [:insert 4 {:a 7}]",
            {kValid, kValid, kValid, "G2"}},
    Classic{"lost update",
            "1: [:r 1 {:a 0}] [:update 1 {:a 1}]\n"
            "2: [:r 1 {:a 0}] [:update 1 {:a 2}]",
            {kValid, "lost-update", "lost-update", "lost-update"}},
    Classic{"lost update of rows that a predicate found",
            "1: [:rp [:= :a 0] {1 {:a 0}, 2 {:a 0}}] [:update 1 {:a 1}]\n"
            "2: [:rp [:= :a 0] {1 {:a 0}, 2 {:a 0}}] [:update 1 {:a 2}]",
            {kValid, kValid, "lost-update", "G2"}},
    Classic{"write skew within a row",
            "1: [:r 1 {:a 0}] [:update 1 {:b 1}]\n"
            "2: [:r 1 {:b 0}] [:update 1 {:a 1}]",
            {kValid, "G2-item", "lost-update", "G2-item"}},
    Classic{"write skew",
            "1: [:r 1 {:a 0}] [:r 2 {:a 0}] [:update 2 {:a 1}]\n"
            "2: [:r 1 {:a 0}] [:r 2 {:a 0}] [:update 1 {:a 1}]",
            {kValid, "G2-item", kValid, "G2-item"}},
    Classic{"long fork",
            "1: [:update 1 {:a 1}]\n"
            "2: [:update 2 {:a 1}]\n"
            "3: [:r 1 {:a 1}] [:r 2 {:a 0}]\n"
            "4: [:r 1 {:a 0}] [:r 2 {:a 1}]",
            {kValid, "G-nonadjacent-item", "G-nonadjacent-item", "G-nonadjacent-item"}},
};

TEST_CASE("names of rows: the classical anomalies have theirs at each level that forbids them") {
  constexpr std::array kModels = {Model::kPl2, Model::kPl299, Model::kPlSi, Model::kPl3};
  for (const Classic& classic : kClassics) {
    const History history = rows_history("0: [:insert 1 {:a 0 :b 0}] [:insert 2 {:a 0 :b 0}]\n" +
                                         std::string(classic.lines));
    for (std::size_t i = 0; i < kModels.size(); ++i) {
      INFO(classic.what << " at " << friendly_name(kModels[i]));
      CHECK(name_at(kModels[i], history) == classic.names[i]);
    }
  }
}

TEST_CASE("names of rows: dirty writes are read skew, even where real time tells their order") {
  const History history = rows_history(
      "0@0-1: [:insert 1 {:a 0}] [:insert 2 {:a 0}]\n"
      "1@2-4: [:update 1 {:a 1}] [:update 2 {:a 1}]\n"
      "2@3-5: [:update 1 {:a 2}] [:update 2 {:a 2}]\n"
      "3@6-7: [:r 1 {:a 2}] [:r 2 {:a 1}]");
  CHECK(name_at(Model::kPl2, history) == "valid");
  CHECK(name_at(Model::kPlSs, history) == "G-single-item");
  CHECK(name_at(Model::kPl3, history) == "G-single-item");
}

TEST_CASE("names of rows: a predicate that misses a row which another transaction changed") {
  constexpr std::string_view kStart = "init {1 {:a 10} 2 {:a 20}}\n";
  constexpr std::string_view kDelete = "1: [:r 1 {:a 10}] [:dp [:= :a 20] #{}] [:r 2 {:a 20}]\n";
  // The row was as it was shown later only because the delete came before the update, and was
  // missed only because it came after.
  const History changed = rows_history(std::string(kStart) + std::string(kDelete) +
                                       "2: [:update 1 {:a 12}] [:update 2 {:a 18}]");
  CHECK(name_at(Model::kPl3, changed) == "G-single-item");
  CHECK(name_at(Model::kPl299, changed) == "G-single-item");
  CHECK(name_at(Model::kPlSi, changed) == "G-single-item");
  // No transaction changed it.
  const History same =
      rows_history(std::string(kStart) + std::string(kDelete) + "2: [:update 1 {:a 12}]");
  CHECK(name_at(Model::kPl3, same) == "predicate-read-miss");
}

TEST_CASE(
    "names of rows: a state that no transaction can have left is garbage beside a cycle as well as "
    "alone") {
  constexpr std::string_view kInsert = "1: [:insert 2 {:b 0}]\n";
  for (const std::string_view reader :
       {"2: [:rp [:in :b 1 1] {2 {}}]", "2: [:r 2 nil] [:rp [:in :b 1 1] {2 {}}]"}) {
    const History history = rows_history(std::string(kInsert) + std::string(reader));
    for (const Model model : {Model::kPl3, Model::kPlSi, Model::kPl299, Model::kPl2}) {
      INFO(reader << " at " << friendly_name(model));
      CHECK(name_at(model, history) == "garbage-read");
    }
  }
}

TEST_CASE("names of rows: a stale read that several transactions explain together is one") {
  // Who finds the row must have read before its insert and its delete both were over.
  const History deleted = rows_history(
      "0@0-1: [:insert 1 {:a 1 :b 1}]\n"
      "0@2-3: [:delete 1]\n"
      "1@4-5: [:r 1 {:a 1 :b 1}]");
  CHECK(name_at(Model::kPlSs, deleted) == "G-single-item-realtime");
  CHECK(name_at(Model::kStrongSnapshotIsolation, deleted) == "G-single-item-realtime");
  // Two columns, each of another writer: one came before in the session, one in real time.
  const History columns = rows_history(
      "0@0-1: [:insert 1 {:a 0 :b 0}]\n"
      "1@2-3: [:update 1 {:a 1}]\n"
      "2@4-5: [:update 1 {:b 1}]\n"
      "1@6-7: [:rp [:and [:= :a 1] [:= :b 1]] {}]");
  CHECK(name_at(Model::kPlSs, columns) == "G-single-realtime");
}

// A step of a proof may rest on earlier steps, on sessions, or on real time. A cycle's name does
// not rule out a level that holds.

TEST_CASE("names of rows: a cycle is no dirty read if an edge follows from several operations") {
  const History history = rows_history(
      "1?: [:insert 0 {:a 2}]\n"
      "1: [:r 0 {:a 2 :b nil}] [:rp [:= :b 2] false] [:delete 0]\n"
      "2: [:dp :true 1] [:rp [:= :a 2] []] [:put 0 {:a 1 :b 1}]");
  CHECK(name_at(Model::kPl2, history) == "valid");
  CHECK(name_at(Model::kPl3, history) == "G2");
}

TEST_CASE("names of rows: an edge that sessions or real time let an operation show") {
  const History read = rows_history(
      "2@12-14: [:update 0 {:a 1 :b 1}]\n"
      "0@11-16: [:put 0 {:a 0}] [:rp [:not [:key 1 3]] {0 {:a 0}}]\n"
      "2@16-18: [:rp [:not [:= :a 0]] 0] [:delete 0]");
  CHECK(name_at(Model::kPl3, read) == "valid");
  CHECK(name_at(Model::kStrongSessionSerializable, read) == "G1c-process");
  const History missed = rows_history(
      "0@1-1: [:dp :true]\n"
      "2@12-18: [:rp :true {}]\n"
      "0@14-20: [:delete 1] [:insert 0 {}]\n"
      "2@19-21: [:insert 0 {:a 0}] [:rp [:= :b 2] {}]");
  CHECK(name_at(Model::kStrongSessionSerializable, missed) == "valid");
  CHECK(name_at(Model::kPlSs, missed) == "G2-item-realtime");
}

TEST_CASE("names of rows: writers of one row are no cycle of writes if reads order them") {
  const History history = rows_history(
      "init {0 {:a 1 :b 0}}\n"
      "0: [:rp [:and] {0 {:b 0}}] [:rp [:= :b 2] {}] [:dp [:mod :a 1 0] #{0}]\n"
      "0: [:dp [:and [:mod :b 1 0] [:mod :a 1 0]]] [:dp [:= :b 0] false] [:insert 0 {:a 1 :b 1}]\n"
      "0: [:put 1 {:a 1}] [:insert 0 {:b 0}] [:up :true {:a nil :b 2} true]");
  CHECK(name_at(Model::kPl2, history) == "valid");
  CHECK(name_at(Model::kPlSi, history) == "no name");
}

}  // namespace
}  // namespace elapid
