// Versions of a register that come before one another, by the assumptions made about them.
//
// The claims tell a shortest cycle of these versions: "1 comes before 2, since T1 wrote 1 before T2
// read 2 in process 0 (sequential-keys). However, 2 comes before 1, ...".
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/evidence/kinds.h"
#include "engine/evidence/steps.h"

namespace elapid {
namespace {

/// Looks for the cycle among a few versions, each pair asked for its reason once.
class VersionCycle {
 public:
  VersionCycle(const CyclicVersionsEvidence& evidence, Story& story)
      : key_(evidence.key),
        versions_(evidence.versions),
        story_(story),
        follows_(versions_.size(), std::vector<bool>(versions_.size())) {
    for (std::size_t a = 0; a < versions_.size(); ++a) {
      for (std::size_t b = 0; b < versions_.size(); ++b) {
        follows_[a][b] = a != b && (is_initial(a) || reason(a, b).has_value());
      }
    }
  }

  /// Tells the shortest cycle; false, and nothing, if no reasons close one.
  bool tell() {
    std::vector<std::size_t> shortest;
    for (std::size_t start = 0; start < versions_.size(); ++start) {
      std::vector<std::size_t> cycle = through(start);
      if (!cycle.empty() && (shortest.empty() || cycle.size() < shortest.size())) {
        shortest = std::move(cycle);
      }
    }
    const auto first = std::ranges::find_if(shortest, [&](std::size_t v) { return is_initial(v); });
    std::ranges::rotate(shortest, first == shortest.end() ? shortest.begin() : first);
    for (std::size_t i = 0; i < shortest.size(); ++i) {
      const bool is_last = i + 1 == shortest.size();
      const std::size_t before = shortest[i];
      const std::size_t after = shortest[is_last ? 0 : i + 1];
      story_.claim(
          is_last ? "However, {} comes before {}{}: a contradiction!" : "{} comes before {}{}.",
          ValuePart{versions_[before]}, ValuePart{versions_[after]}, why(before, after));
      show(before, after);
    }
    return !shortest.empty();
  }

 private:
  [[nodiscard]] bool is_initial(std::size_t version) {
    return story_.orders().versions().is_initial(key_, versions_[version]);
  }

  [[nodiscard]] std::optional<VersionReason> reason(std::size_t before, std::size_t after) {
    return story_.orders().versions().find(key_, versions_[before], versions_[after]);
  }

  Phrase why(std::size_t before, std::size_t after) {
    if (is_initial(before)) {
      return as_phrase(", since it is the initial value");
    }
    const VersionReason found = *reason(before, after);
    return to_phrase(found, std::array{found.earlier.txn, found.later.txn}, story_);
  }

  /// Draws the order of the two transactions that orders the versions.
  void show(std::size_t before, std::size_t after) {
    const std::optional<VersionReason> found =
        is_initial(before) ? std::nullopt : reason(before, after);
    if (!found || found->earlier.txn == found->later.txn) {
      return;
    }
    const bool is_session = found->source == VersionSource::kSequentialKeys;
    const bool is_known = is_session || found->source == VersionSource::kLinearizableKeys;
    if (is_known) {
      story_.arrow({.from = story_.actor(found->earlier.txn).actor,
                    .to = story_.actor(found->later.txn).actor,
                    .relation = is_session ? Relation::kProcess : Relation::kRealtime,
                    .from_mop = found->earlier.mop,
                    .to_mop = found->later.mop});
    }
  }

  /// A shortest cycle through a version, breadth first; empty if there is none.
  [[nodiscard]] std::vector<std::size_t> through(std::size_t start) const {
    std::vector<std::size_t> parents(versions_.size(), versions_.size());
    std::vector<std::size_t> queue = {start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t at = queue[head];
      for (std::size_t next = 0; next < versions_.size(); ++next) {
        if (follows_[at][next] && next == start) {
          return path_to(at, start, parents);
        }
        if (follows_[at][next] && parents[next] == versions_.size()) {
          parents[next] = at;
          queue.push_back(next);
        }
      }
    }
    return {};
  }

  [[nodiscard]] static std::vector<std::size_t> path_to(std::size_t end, std::size_t start,
                                                        const std::vector<std::size_t>& parents) {
    std::vector<std::size_t> path = {end};
    while (path.back() != start) {
      path.push_back(parents[path.back()]);
    }
    std::ranges::reverse(path);
    return path;
  }

  KeyId key_;
  const std::vector<ValueId>& versions_;
  Story& story_;
  std::vector<std::vector<bool>> follows_;
};

}  // namespace

void tell(const CyclicVersionsEvidence& evidence, Story& story) {
  constexpr std::size_t kFew = 16;  // each pair costs a pass over the key's operations
  story.claim("The versions of key {} are ordered by {}.", story.key(evidence.key),
              Story::series(evidence.sources, [](VersionSource source) { return name(source); }));
  if (evidence.versions.size() > kFew || !VersionCycle(evidence, story).tell()) {
    story.claim("However, by these {} each come before all the others: a contradiction!",
                Story::series(evidence.versions, [](ValueId value) { return ValuePart{value}; }));
  }
}

}  // namespace elapid
