#include "harness/separate/separate.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "engine/levels/entailment.h"
#include "harness/separate/known_separators.h"
#include "tests/oracle/truth.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

std::optional<Separator> found(Model allowing, Model forbidding, ShapeSize most) {
  Result<SeparationSearch> search = separate(allowing, forbidding, most);
  REQUIRE(search.ok());
  return search.value().found;
}

TEST_CASE("separate: write skew is the smallest between snapshot isolation and serializability") {
  const std::optional<Separator> skew = found(Model::kPlSi, Model::kPl3, {3, 4});
  REQUIRE(skew);
  CHECK(skew->size == ShapeSize{2, 4});
  CHECK(to_text(skew->history) == "0> rx_ wy1; 1> wx1 ry_; 0+ rx_ wy1; 1+ wx1 ry_");
  CHECK_FALSE(found(Model::kPlSi, Model::kPl3, {2, 3}));
}

TEST_CASE("separate: nothing is tried where one level entails the other") {
  const Result<SeparationSearch> search = separate(Model::kPl3, Model::kPlSi, {4, 8});
  REQUIRE(search.ok());
  CHECK_FALSE(search.value().found);
  CHECK(search.value().tried == 0);
}

TEST_CASE("separate: real time is needed where only that is forbidden") {
  const std::optional<Separator> stale =
      found(Model::kStrongSessionSerializable, Model::kPlSs, {2, 2});
  REQUIRE(stale);
  CHECK(to_text(stale->history) == "0+ wx1; 1+ rx_");
}

TEST_CASE("separate: a search can be interrupted") {
  const Result<SeparationSearch> search =
      separate(Model::kPlSi, Model::kPl3, {3, 3}, [](ShapeSize size) {
        return size < ShapeSize{2, 2};
      });
  REQUIRE_FALSE(search.ok());
  CHECK(search.error().message == "interrupted");
}

using Sizes = std::map<std::pair<Model, Model>, ShapeSize>;

void add_pairs(const Separator& separator, Sizes& sizes) {
  for (const Model allowing : separator.valid) {
    for (const Model forbidding : separator.invalid) {
      sizes.try_emplace({allowing, forbidding}, separator.size);
    }
  }
}

std::vector<Separator> all_known() {
  std::vector<Separator> all;
  for (const KnownSeparator& known : known_separators()) {
    Result<Separator> separator = judged(history_of(known), known.size);
    REQUIRE(separator.ok());
    all.push_back(std::move(separator).value());
  }
  return all;
}

/// Whether the known histories of at most this size are what a search finds.
void check_by_search(ShapeSize most) {
  const Result<std::vector<Separator>> searched = separate_all(most);
  REQUIRE(searched.ok());
  Sizes smallest;
  for (const Separator& separator : searched.value()) {
    add_pairs(separator, smallest);
  }
  Sizes known;
  for (const Separator& separator : all_known()) {
    if (separator.size.txns <= most.txns && separator.size.ops <= most.ops) {
      add_pairs(separator, known);
    }
  }
  CHECK(known == smallest);
}

TEST_CASE("known separators: as small as a search of small histories finds") {
  check_by_search({.txns = 2, .ops = stride() > 1 ? 3U : 4U});
}

// Minutes: tests/nightly runs it.
TEST_CASE("known separators: as small as a search up to their size finds", "[.nightly]") {
  check_by_search(kSearchedSize);
}

TEST_CASE("known separators: each is as large as it says, and comes after smaller ones") {
  ShapeSize last;
  for (const KnownSeparator& known : known_separators()) {
    INFO(known.name);
    const TinyHistory history = history_of(known);
    ShapeSize size;
    for (const TinyEvent& event : history.events) {
      size.txns += event.type == EventType::kInvoke;
      size.ops += event.type == EventType::kInvoke ? event.mops.size() : 0;
    }
    CHECK(size == known.size);
    CHECK(last <= known.size);
    last = known.size;
  }
}

TEST_CASE("known separators: brute force agrees on every level that it decides") {
  for (const KnownSeparator& known : known_separators()) {
    const TinyHistory tiny = history_of(known);
    const Result<Separator> separator = judged(tiny, known.size);
    REQUIRE(separator.ok());
    const History history = build(tiny);
    Truth truth(history);
    for (const Model model : ModelSet::all()) {
      const std::optional<OrderLevel> level = order_level(model);
      const std::optional<bool> holds = level ? truth.holds(*level, {}) : std::nullopt;
      if (holds) {
        INFO(known.name << " at " << friendly_name(model));
        CHECK(separator.value().valid.test(model) == *holds);
        CHECK(separator.value().invalid.test(model) != *holds);
      }
    }
  }
}

// Levels that others decide: few small histories are known to satisfy or violate them. And pairs
// whose implication follows from the definitions but is not in the lattice (docs/levels.md): the
// session guarantees imply PL-2, and PL-2 of writes in one order implies PL-1.
bool may_stay_open(Model allowing, Model forbidding) {
  const ModelSet guarantees = {Model::kPram, Model::kMonotonicReads, Model::kMonotonicWrites,
                               Model::kReadYourWrites, Model::kWritesFollowReads};
  const ModelSet weakest = {Model::kPl1, Model::kPl2, Model::kStrongSessionPl1};
  return is_decided_by_others(allowing) || is_decided_by_others(forbidding) ||
         (guarantees.test(allowing) && weakest.test(forbidding));
}

TEST_CASE("known separators: every pair of levels that are decided") {
  const std::vector<Separator> known = all_known();
  for (const Model allowing : ModelSet::all()) {
    for (const Model forbidding : ~entailed(allowing)) {
      const bool is_separated = std::ranges::any_of(known, [&](const Separator& separator) {
        return separator.separates(allowing, forbidding);
      });
      INFO(friendly_name(allowing) << " and " << friendly_name(forbidding));
      CHECK((is_separated || may_stay_open(allowing, forbidding)));
    }
  }
}

TEST_CASE("known separators: the smallest is found, or none") {
  const auto name = [](Model allowing, Model forbidding) {
    const Result<const KnownSeparator*> known = find_separator(allowing, forbidding);
    REQUIRE(known.ok());
    return known.value() == nullptr ? "" : std::string(known.value()->name);
  };
  CHECK(name(Model::kPc, Model::kPlSi) == "lost-update");
  CHECK(name(Model::kParallelSnapshotIsolation, Model::kPlSi) == "long-fork");
  CHECK(name(Model::kPl3, Model::kPlSi).empty());
}

TEST_CASE("known separators: the examples are these") {
  for (const KnownSeparator& known : known_separators()) {
    INFO(known.name);
    const std::string path = ELAPID_EXAMPLES "/levels/" + std::string(known.name);
    CHECK(content_of(path + ".edn") == to_edn(history_of(known)));
    CHECK(content_of(path + ".svg").starts_with("<svg"));
  }
}

}  // namespace
}  // namespace elapid
