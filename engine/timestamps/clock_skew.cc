#include "engine/timestamps/clock_skew.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/timestamps/external_part.h"
#include "engine/timestamps/version_lists.h"

namespace elapid {

namespace {

std::vector<KeyId> keys_of(std::span<const TimestampEvidence> violations) {
  std::vector<KeyId> keys;
  for (const TimestampEvidence& violation : violations) {
    if (violation.axiom == TimestampAxiom::kExt) {
      keys.push_back(violation.key);
    }
  }
  return keys;
}

class SkewMarker {
 public:
  SkewMarker(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
             const SkewedClocks& clocks, std::span<const TimestampEvidence> violations)
      : history_(history),
        timeline_(timeline),
        maybe_writes_(maybe_writes),
        clocks_(clocks),
        versions_(history, timeline, keys_of(violations)) {}

  [[nodiscard]] bool may_be_skew(const TimestampEvidence& violation) {
    switch (violation.axiom) {
      case TimestampAxiom::kInt:
        return false;
      case TimestampAxiom::kExt:
        return violation.expected.kind == ExpectedRead::Kind::kScalar ? may_read_value(violation)
                                                                      : may_read_list(violation);
      case TimestampAxiom::kStartFirst:
        return !clocks_.is_certainly_before(*history_.commit_timestamp(violation.txn),
                                            *history_.start_timestamp(violation.txn));
      case TimestampAxiom::kNoConflict:
        return may_come_behind(violation.txn, violation.other) ||
               may_come_behind(violation.other, violation.txn);
      case TimestampAxiom::kSession:
      case TimestampAxiom::kRealTime:
        return may_come_behind(violation.txn, violation.other);
    }
    return false;
  }

 private:
  /// Whether a transaction may have read after another one committed.
  [[nodiscard]] bool may_come_behind(TxnId txn, TxnId other) const {
    return !clocks_.is_certainly_before(timeline_.reads_at(txn), timeline_.writes_at(other));
  }

  /// Whether a version was certainly committed before the read.
  [[nodiscard]] bool is_past(std::int64_t version, std::int64_t read) const {
    return clocks_.is_certainly_before(version, read);
  }

  /// Whether a version with the value read may have been current.
  [[nodiscard]] bool may_read_value(const TimestampEvidence& violation) const {
    const ValueId shown = history_.ops(violation.txn)[violation.mop].value();
    const std::int64_t read = timeline_.reads_at(violation.txn);
    const std::span<const TimedVersion> versions = versions_.of(violation.key);
    const auto uncertain = std::ranges::partition_point(
        versions, [&](const TimedVersion& version) { return is_past(version.time, read); });
    if (history_.is_initial(shown) && uncertain == versions.begin()) {
      return true;
    }
    return std::ranges::any_of(versions, [&](const TimedVersion& version) {
      const bool is_replaced =
          uncertain != versions.begin() && is_past(version.time, std::prev(uncertain)->time);
      return version.last == shown && version.writer != violation.txn && !is_replaced &&
             !clocks_.is_certainly_before(read, version.time);
    });
  }

  /// An element of a list, with its writer and time. If others may have appended the same, a list
  /// does not tell whose element it shows.
  struct Element {
    std::int64_t time = 0;
    TxnId writer;
    bool is_ambiguous = false;
  };

  using Elements = std::unordered_map<ValueId, Element>;

  /// The elements of a key, collected once.
  const Elements& elements_of(KeyId key) {
    const auto [known, is_new] = elements_.try_emplace(key);
    if (is_new) {
      for (const TimedVersion& version : versions_.of(key)) {
        for (const Op op : history_.ops(version.writer)) {
          if (op.is_write() && op.key() == key) {
            const bool may_be_there = maybe_writes_.contains(key, op.value());
            const auto [same, is_first] = known->second.try_emplace(
                op.value(), Element{version.time, version.writer, may_be_there});
            same->second.is_ambiguous = same->second.is_ambiguous || !is_first;
          }
        }
      }
    }
    return known->second;
  }

  /// Whether the list read may have been current. No element is certainly from the future, none
  /// follows a certainly later one, and no missing one is certainly past. A transaction's elements
  /// are all there, or none is. An element shown that several may have appended has no known time.
  [[nodiscard]] bool may_read_list(const TimestampEvidence& violation) {
    const std::int64_t read = timeline_.reads_at(violation.txn);
    const Elements& elements = elements_of(violation.key);
    std::unordered_set<ValueId> shown;
    std::unordered_set<TxnId> writers;
    std::optional<std::int64_t> latest;
    for (const ValueId element : external_part(history_, violation.txn, violation.mop)) {
      const auto known = elements.find(element);
      const bool is_ambiguous = known == elements.end()
                                    ? maybe_writes_.contains(violation.key, element)
                                    : known->second.is_ambiguous;
      shown.insert(element);
      if (is_ambiguous) {
        continue;
      }
      if (known == elements.end() || clocks_.is_certainly_before(read, known->second.time) ||
          (latest && clocks_.is_certainly_before(known->second.time, *latest))) {
        return false;
      }
      latest = std::max(latest.value_or(known->second.time), known->second.time);
      writers.insert(known->second.writer);
    }
    return std::ranges::none_of(elements, [&](const auto& entry) {
      const auto& [element, about] = entry;
      return about.writer != violation.txn && !shown.contains(element) &&
             (is_past(about.time, read) || writers.contains(about.writer));
    });
  }

  const History& history_;
  const Timeline& timeline_;
  const MaybeWrites& maybe_writes_;
  const SkewedClocks& clocks_;
  VersionLists versions_;
  std::unordered_map<KeyId, Elements> elements_;
};

}  // namespace

void mark_skewed(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                 const SkewedClocks& clocks, std::span<TimestampEvidence> violations) {
  SkewMarker marker(history, timeline, maybe_writes, clocks, violations);
  for (TimestampEvidence& violation : violations) {
    violation.within_clock_skew = marker.may_be_skew(violation);
  }
}

}  // namespace elapid
