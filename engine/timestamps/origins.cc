#include "engine/timestamps/origins.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/ir/matched_list.h"
#include "engine/timestamps/external_part.h"
#include "engine/timestamps/version_lists.h"

namespace elapid {

namespace {

struct Writer {
  TxnId txn;
  bool is_final = false;  ///< it left the value behind, or appended nothing after it
};

/// What is wrong with a read: a value that should not be there, or a missing part of a list.
struct Suspect {
  ValueId shown = ValueId::none();  ///< none() if something is missing
  std::size_t length = 0;           ///< the length of the part of the expected list that is there
};

class Origins {
 public:
  Origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes)
      : history_(history),
        timeline_(timeline),
        maybe_writes_(maybe_writes),
        is_asked_(history.key_count()) {}

  void fill_in(std::span<TimestampEvidence> violations) {
    for (const TimestampEvidence& violation : violations) {
      if (violation.axiom == TimestampAxiom::kExt) {
        ask_for(violation);
      }
    }
    for (std::uint32_t t = 0; t < history_.txn_count() && !writers_.empty(); ++t) {
      collect({t});
    }
    const VersionLists versions(history_, timeline_, lacking_);
    for (TimestampEvidence& violation : violations) {
      if (violation.axiom == TimestampAxiom::kExt) {
        judge(violation, versions);
      }
    }
  }

 private:
  [[nodiscard]] Suspect suspect(const TimestampEvidence& violation) const {
    const Op read = history_.ops(violation.txn)[violation.mop];
    if (violation.expected.kind == ExpectedRead::Kind::kScalar) {
      return {.shown = read.value()};
    }
    const std::span<const ValueId> shown = external_part(history_, violation.txn, violation.mop);
    const std::span<const ValueId> whole = violation.expected.elements;
    const std::span<const ValueId> expected =
        whole.first(whole.size() - own_appends(history_, violation.txn, violation.mop));
    const MatchedList matched = match_list(shown, expected, [&](ValueId element) {
      return maybe_writes_.contains(violation.key, element);
    });
    return matched.shown < shown.size() ? Suspect{.shown = shown[matched.shown]}
                                        : Suspect{.length = matched.certain};
  }

  void ask_for(const TimestampEvidence& violation) {
    const Suspect about = suspect(violation);
    if (about.shown.is_none()) {
      lacking_.push_back(violation.key);
      return;
    }
    writers_.try_emplace(packed(violation.key, about.shown));
    is_asked_[violation.key.index()] = true;
  }

  void collect(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    for (auto op = ops.begin(); op != ops.end(); ++op) {
      if (!op->is_write() || !is_asked_[op->key().index()]) {
        continue;
      }
      const auto asked = writers_.find(packed(op->key(), op->value()));
      if (asked != writers_.end()) {
        const bool is_final = std::none_of(op + 1, ops.end(), [&](Op later) {
          return later.is_write() && later.key() == op->key();
        });
        asked->second.push_back({txn, is_final});
      }
    }
  }

  [[nodiscard]] ReadOrigin origin(const TimestampEvidence& violation, const Writer& writer,
                                  bool is_list) const {
    if (writer.txn == violation.txn) {
      return ReadOrigin::kOwnFuture;
    }
    if (history_.status(writer.txn) == TxnStatus::kAborted) {
      return ReadOrigin::kAborted;
    }
    if (timeline_.placement(writer.txn) == Placement::kUnknown) {
      return ReadOrigin::kUncommitted;  // as far as is known
    }
    if (!writer.is_final && !is_list) {
      return ReadOrigin::kIntermediate;
    }
    const std::int64_t read = timeline_.reads_at(violation.txn);
    const std::int64_t commit = timeline_.writes_at(writer.txn);
    const std::int64_t start = history_.start_timestamp(writer.txn).value_or(commit);
    return commit <= read  ? ReadOrigin::kBefore
           : start <= read ? ReadOrigin::kUncommitted
                           : ReadOrigin::kAfter;
  }

  void judge(TimestampEvidence& violation, const VersionLists& versions) const {
    const Suspect about = suspect(violation);
    if (about.shown.is_none()) {
      judge_missing(violation, about.length, versions.of(violation.key));
      return;
    }
    const bool is_list = violation.expected.kind != ExpectedRead::Kind::kScalar;
    if (!is_list && history_.is_initial(about.shown)) {
      violation.origin = ReadOrigin::kBefore;  // the initial state, if no write explains it
    }
    for (const Writer& writer : writers_.at(packed(violation.key, about.shown))) {
      const ReadOrigin found = origin(violation, writer, is_list);
      const bool is_later = found == violation.origin &&
                            (violation.other.is_none() || timeline_.writes_at(writer.txn) >
                                                              timeline_.writes_at(violation.other));
      if (found < violation.origin || is_later) {
        violation.origin = found;
        violation.other = writer.txn;
      }
    }
  }

  /// Judges a list that is a proper prefix of the expected one. The position of an element tells
  /// which transaction appended it, even if others appended the same element.
  void judge_missing(TimestampEvidence& violation, std::size_t length,
                     std::span<const TimedVersion> versions) const {
    std::size_t count = 0;  // the number of elements so far
    for (auto version = versions.begin(); count < length; ++version) {
      count += appends(version->writer, violation.key);
      violation.other = version->writer;
    }
    violation.origin = count > length ? ReadOrigin::kIntermediate : ReadOrigin::kBefore;
  }

  [[nodiscard]] std::size_t appends(TxnId txn, KeyId key) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        history_.ops(txn), [key](Op op) { return op.is_write() && op.key() == key; }));
  }

  const History& history_;
  const Timeline& timeline_;
  const MaybeWrites& maybe_writes_;
  std::unordered_map<std::uint64_t, std::vector<Writer>, SeededHash> writers_;  // by key and value
  std::vector<bool> is_asked_;                                                  // by key
  std::vector<KeyId> lacking_;  // of lists with missing elements
};

}  // namespace

void find_origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                  std::span<TimestampEvidence> violations) {
  Origins(history, timeline, maybe_writes).fill_in(violations);
}

}  // namespace elapid
