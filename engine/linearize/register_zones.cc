#include "engine/linearize/register_zones.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/ir/int_map.h"
#include "engine/linearize/register.h"

namespace elapid::linearize {

namespace {

constexpr std::uint32_t kNoOperation = 0xffffffffU;

/// A value that the register held, or that some operation names.
struct Version {
  std::uint32_t writer = kNoOperation;   ///< the operation that left it; none of the initial value
  std::uint32_t before = kNoOperation;   ///< the version that a cas replaced
  std::uint32_t after = kNoOperation;    ///< the version that a cas made of it
  std::uint32_t seen_by = kNoOperation;  ///< a read, or a cas that replaced it
  bool was_there = false;
};

/// The operations of a chain of versions.
struct Block {
  std::uint32_t first = 0;           ///< version of the chain
  std::int64_t first_return = 0;     ///< f; -1 of the initial value's
  std::int64_t last_invocation = 0;  ///< s
  std::uint32_t returner = kBeginning;
  std::uint32_t invoker = kBeginning;

  [[nodiscard]] bool is_forward() const { return first_return < last_invocation; }
};

class Zones {
 public:
  Zones(const Operations& operations, ValueId initial)
      : operations_(operations), version_of_(operations.size(), kNoOperation) {
    number(initial);
    versions_[kInitial].was_there = true;
  }

  std::optional<RegisterJudgement> judge() {
    if (!find_versions()) {
      return std::nullopt;
    }
    sort_reads();
    if (!find_what_was_there() || !link_chains() || !make_blocks() || !place_blocks()) {
      return std::move(judgement_);
    }
    judgement_.answer = Answer::kLinearizable;
    write_order();
    return std::move(judgement_);
  }

 private:
  static constexpr std::uint32_t kInitial = 0;

  std::uint32_t number(ValueId value) {
    const auto fresh = static_cast<std::uint32_t>(versions_.size());
    const std::uint32_t found = numbers_.find_or_add(value.bits(), fresh);
    if (found == fresh) {
      versions_.emplace_back();
    }
    return found;
  }

  bool refute(RegisterFlaw flaw, std::vector<std::uint32_t> operations) {
    judgement_ = {
        .answer = Answer::kNotLinearizable, .flaw = flaw, .operations = std::move(operations)};
    return false;
  }

  // Versions.

  /// False if values are not distinct, or a failed cas is a witness.
  bool find_versions() {
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      const Operation& operation = operations_[i];
      const RegisterF f = register_f(operation);
      const bool is_read =
          f == RegisterF::kRead || (f == RegisterF::kCas && operation.argument == operation.result);
      if (f == RegisterF::kFailedCas) {
        return false;
      }
      if (is_read) {
        version_of_[i] = number(f == RegisterF::kRead ? operation.result : operation.argument);
        const bool shows = !operation.is_open();
        version_of_[i] = shows ? version_of_[i] : kNoOperation;
        continue;
      }
      const std::uint32_t before = f == RegisterF::kCas ? number(operation.argument) : kNoOperation;
      const std::uint32_t made =
          number(f == RegisterF::kCas ? operation.result : operation.argument);
      Version& version = versions_[made];
      if (made == kInitial || version.writer != kNoOperation) {
        return false;
      }
      version.writer = i;
      version.before = before;
      version_of_[i] = made;
    }
    return true;
  }

  [[nodiscard]] bool is_writer(std::uint32_t operation) const {
    return versions_[version_of_[operation]].writer == operation;
  }

  /// Reads by version, in the order of their invocations.
  void sort_reads() {
    read_begin_.assign(versions_.size() + 1, 0);
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      if (version_of_[i] != kNoOperation && !is_writer(i)) {
        ++read_begin_[version_of_[i] + 1];
      }
    }
    for (std::size_t v = 0; v < versions_.size(); ++v) {
      read_begin_[v + 1] += read_begin_[v];
    }
    reads_.resize(read_begin_.back());
    std::vector<std::uint32_t> next(read_begin_.begin(), read_begin_.end() - 1);
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      if (version_of_[i] != kNoOperation && !is_writer(i)) {
        reads_[next[version_of_[i]]++] = i;
      }
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> reads_of(std::uint32_t version) const {
    return std::span(reads_).subspan(read_begin_[version],
                                     read_begin_[version + 1] - read_begin_[version]);
  }

  /// A version was there if its writer returned, if it was read, or if a cas that took effect
  /// replaced it. Other writes may be taken not to have happened.
  bool find_what_was_there() {
    for (std::uint32_t v = 0; v < versions_.size(); ++v) {
      const auto reads = reads_of(v);
      const std::uint32_t writer = versions_[v].writer;
      if (!reads.empty()) {
        versions_[v].seen_by = reads.front();
      }
      if (!reads.empty() || (writer != kNoOperation && !operations_[writer].is_open())) {
        mark(v);
      }
    }
    for (std::uint32_t v = 1; v < versions_.size(); ++v) {
      if (versions_[v].was_there && versions_[v].writer == kNoOperation) {
        return refute(RegisterFlaw::kNeverWritten, {versions_[v].seen_by});
      }
    }
    return true;
  }

  /// Notes that the version was there, and so were those that cas replaced on the way to it.
  void mark(std::uint32_t v) {
    while (!versions_[v].was_there) {
      versions_[v].was_there = true;
      const std::uint32_t before = versions_[v].before;
      if (before == kNoOperation) {
        return;
      }
      if (versions_[before].seen_by == kNoOperation) {
        versions_[before].seen_by = versions_[v].writer;
      }
      v = before;
    }
  }

  bool link_chains() {
    for (std::uint32_t v = 1; v < versions_.size(); ++v) {
      const Version& version = versions_[v];
      if (!version.was_there || version.before == kNoOperation) {
        continue;
      }
      std::uint32_t& after = versions_[version.before].after;
      if (after != kNoOperation) {
        return refute(RegisterFlaw::kReplacedTwice, {versions_[after].writer, version.writer});
      }
      after = v;
    }
    return true;
  }

  // Blocks.

  bool make_blocks() {
    std::size_t placed = 0;
    std::size_t there = 0;
    for (std::uint32_t v = 0; v < versions_.size(); ++v) {
      there += versions_[v].was_there ? 1U : 0U;
      if (versions_[v].was_there && versions_[v].before == kNoOperation && !make_block(v, placed)) {
        return false;
      }
    }
    return placed == there || refute_ring();
  }

  /// Whether the operations of the chain can stand in its order.
  bool make_block(std::uint32_t first, std::size_t& placed) {
    Block block = {.first = first,
                   .first_return = first == kInitial ? -1 : std::int64_t{kNever} + 1,
                   .last_invocation = -1};
    for (std::uint32_t v = first; v != kNoOperation; v = versions_[v].after) {
      ++placed;
      const std::uint32_t writer = versions_[v].writer;
      if (writer != kNoOperation && !add(writer, block, block.invoker, block.last_invocation)) {
        return false;
      }
      const std::uint32_t latest = block.invoker;
      const std::int64_t bound = block.last_invocation;
      for (const std::uint32_t read : reads_of(v)) {
        if (!add(read, block, latest, bound)) {
          return false;
        }
      }
    }
    blocks_.push_back(block);
    return true;
  }

  /// Adds an operation behind others. `latest` is the last one of these that was invoked, at
  /// `bound`.
  bool add(std::uint32_t place, Block& block, std::uint32_t latest, std::int64_t bound) {
    const Operation& operation = operations_[place];
    if (operation.returned < bound) {
      return refute(RegisterFlaw::kAgainstTime, {latest, place});
    }
    if (operation.returned < block.first_return) {
      block.first_return = operation.returned;
      block.returner = place;
    }
    if (operation.invoked > block.last_invocation) {
      block.last_invocation = operation.invoked;
      block.invoker = place;
    }
    return true;
  }

  /// A chain without a beginning: each cas made the value that the next one replaced, in a ring.
  bool refute_ring() {
    std::vector<bool> is_in_block(versions_.size());
    for (const Block& block : blocks_) {
      for (std::uint32_t v = block.first; v != kNoOperation; v = versions_[v].after) {
        is_in_block[v] = true;
      }
    }
    std::uint32_t found = 1;
    while (!versions_[found].was_there || is_in_block[found]) {
      ++found;
    }
    std::vector<std::uint32_t> ring;
    for (std::uint32_t v = found; v != found || ring.empty(); v = versions_[v].after) {
      ring.push_back(versions_[v].writer);
    }
    return refute(RegisterFlaw::kRing, std::move(ring));
  }

  // Zones.

  bool place_blocks() {
    std::vector<std::uint32_t> forward;
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].is_forward()) {
        forward.push_back(i);
      }
    }
    const auto first_return = [this](std::uint32_t i) { return blocks_[i].first_return; };
    std::ranges::sort(forward, {}, first_return);
    for (std::size_t i = 1; i < forward.size(); ++i) {
      const Block& one = blocks_[forward[i - 1]];
      const Block& other = blocks_[forward[i]];
      if (other.first_return < one.last_invocation) {
        return refute(RegisterFlaw::kOverlap,
                      {one.returner, one.invoker, other.returner, other.invoker});
      }
    }
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (block.is_forward()) {
        places_.push_back({2 * block.first_return, i});
        continue;
      }
      const auto next = std::ranges::upper_bound(forward, block.last_invocation, {}, first_return);
      const Block* around = next == forward.begin() ? nullptr : &blocks_[*(next - 1)];
      if (around == nullptr || around->last_invocation < block.last_invocation) {
        places_.push_back({2 * block.last_invocation, i});
      } else if (block.first_return < around->last_invocation) {
        return refute(RegisterFlaw::kEnclosed,
                      {around->returner, around->invoker, block.invoker, block.returner});
      } else {
        places_.push_back({2 * around->last_invocation + 1, i});
      }
    }
    return true;
  }

  /// Orders blocks by an instant of each. That of a forward zone is its beginning; that of a
  /// backward zone is in no forward zone.
  void write_order() {
    std::ranges::sort(places_);
    for (const auto& [instant, block] : places_) {
      for (std::uint32_t v = blocks_[block].first; v != kNoOperation; v = versions_[v].after) {
        if (versions_[v].writer != kNoOperation) {
          judgement_.order.push_back(versions_[v].writer);
        }
        const auto reads = reads_of(v);
        judgement_.order.insert(judgement_.order.end(), reads.begin(), reads.end());
      }
    }
  }

  const Operations& operations_;
  std::vector<std::uint32_t> version_of_;  // that an operation made or read
  IntMap numbers_;
  std::vector<Version> versions_;
  std::vector<std::uint32_t> read_begin_;  // by version
  std::vector<std::uint32_t> reads_;
  std::vector<Block> blocks_;
  std::vector<std::pair<std::int64_t, std::uint32_t>>
      places_;  // an instant, doubled, of each block
  RegisterJudgement judgement_;
};

}  // namespace

std::optional<RegisterJudgement> judge_by_zones(const Operations& operations, ValueId initial) {
  return Zones(operations, initial).judge();
}

}  // namespace elapid::linearize
