// Each kind of step of a proof about rows: accepted where it is true, refused where it is not.
//
// Random histories are refuted by clauses until each kind of step occurred several times. A step is
// damaged in one place at a time: a choice less in its clause, another transaction, no reason.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/argue/argue.h"
#include "engine/certify/rows/rows_proof.h"
#include "tests/oracle/random_rows.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using Reason = RowsProofStep::Reason;

constexpr std::uint64_t kMostSeeds = 20'000;

struct ProofLevel {
  Model model;
  OldVersions old_versions;
};

constexpr std::array kLevels = {ProofLevel{Model::kPl3, OldVersions::kOfNone},
                                ProofLevel{Model::kPlSi, OldVersions::kOfNone},
                                ProofLevel{Model::kPl299, OldVersions::kOfPredicates},
                                ProofLevel{Model::kReadAtomic, OldVersions::kOfOneState}};

constexpr std::array kKinds = {Reason::kFound,   Reason::kOverlap,  Reason::kCycle,
                               Reason::kMeaning, Reason::kContents, Reason::kVersions,
                               Reason::kVersion, Reason::kWritten,  Reason::kFractured,
                               Reason::kAtLeast, Reason::kAtMost,   Reason::kDerived};

std::optional<std::string> flaw_of(const History& history, const RowsProofEvidence& proof) {
  return check_rows_proof(history, AnomalyType::kPl3CycleExists, proof);
}

std::optional<RowsProofEvidence> proof_against(const History& history, const ProofLevel& level) {
  const bool is_old = level.old_versions != OldVersions::kOfNone;
  ArgueResult result =
      argue_rows(history, {.level = is_old ? OrderLevel{.visibility = Visibility::kSerial}
                                           : order_level(level.model).value(),
                           .old_versions = level.old_versions});
  if (result.validity != Validity::kInvalid) {
    return std::nullopt;
  }
  return RowsProofEvidence{.model = level.model, .steps = std::move(result.proof)};
}

/// How many kinds of damage to the step are refused: a choice less, another transaction, a claim
/// that it follows from the steps before.
struct Refused {
  bool less = false;
  bool other_txn = false;
  bool no_reason = false;
};

Refused damage(const History& history, RowsProofEvidence proof, std::size_t at) {
  Refused refused;
  const RowsProofStep whole = proof.steps[at];
  RowsProofStep& step = proof.steps[at];
  for (std::size_t i = 0; i < whole.clause.size(); ++i) {
    step = whole;
    step.clause.erase(step.clause.begin() + static_cast<std::ptrdiff_t>(i));
    refused.less = refused.less || flaw_of(history, proof).has_value();
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    step = whole;
    step.txn = txn;
    refused.other_txn = refused.other_txn || flaw_of(history, proof).has_value();
  }
  step = whole;
  step.reason = Reason::kDerived;
  refused.no_reason = flaw_of(history, proof).has_value();
  return refused;
}

/// Whether the kind speaks of a transaction.
bool is_about_txn(Reason kind) {
  return kind != Reason::kCycle && kind != Reason::kMeaning && kind != Reason::kContents &&
         kind != Reason::kDerived;
}

TEST_CASE("rows proof: each kind of step is accepted, and refused once it is damaged") {
  const std::size_t wanted = round_count(4, 4);  // of each kind
  std::map<Reason, std::size_t> seen;
  std::map<Reason, Refused> refused;
  const auto is_done = [&] {
    return std::ranges::all_of(kKinds, [&](Reason kind) { return seen[kind] >= wanted; });
  };
  for (std::uint64_t seed = 0; seed < kMostSeeds && !is_done(); ++seed) {
    const Result<History> history = build(random_rows(seed));
    for (std::size_t l = 0; history && l < kLevels.size(); ++l) {
      const auto proof = proof_against(history.value(), kLevels[l]);
      if (!proof) {
        continue;
      }
      if (proof->model == Model::kReadAtomic && deletes_by_key(history.value())) {
        continue;
      }
      INFO("seed " << seed << ", level " << l);
      REQUIRE(flaw_of(history.value(), *proof) == std::nullopt);
      for (std::size_t i = 0; i < proof->steps.size(); ++i) {
        const Reason kind = proof->steps[i].reason;
        if (seen[kind]++ < wanted) {
          const Refused one = damage(history.value(), *proof, i);
          Refused& all = refused[kind];
          all.less = all.less || one.less;
          all.other_txn = all.other_txn || one.other_txn;
          all.no_reason = all.no_reason || one.no_reason;
        }
      }
    }
  }
  for (const Reason kind : kKinds) {
    INFO("kind " << static_cast<int>(kind));
    CHECK(seen[kind] >= wanted);
    CHECK(refused[kind].less);
    CHECK(refused[kind].other_txn == is_about_txn(kind));
    CHECK(refused[kind].no_reason == (kind != Reason::kDerived));
  }
}

}  // namespace
}  // namespace elapid
