#include "engine/timestamps/origins.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/timestamps/external_part.h"

namespace elapid {

namespace {

struct Writer {
  TxnId txn;
  bool is_final = false;  ///< it left the value behind, or appended nothing after it
};

/// The values that violations ask about.
struct Suspect {
  ValueId shown = ValueId::none();    ///< what should not be there; none() if something is missing
  ValueId last = ValueId::none();     ///< of a list that lacks elements: what it ends in
  ValueId missing = ValueId::none();  ///< and what should come next
};

class Origins {
 public:
  Origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes)
      : history_(history), timeline_(timeline), maybe_writes_(maybe_writes) {}

  void fill_in(std::span<TimestampEvidence> violations) {
    for (const TimestampEvidence& violation : violations) {
      if (violation.axiom == TimestampAxiom::kExt) {
        ask_for(violation);
      }
    }
    if (writers_.empty()) {
      return;
    }
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      collect({t});
    }
    for (TimestampEvidence& violation : violations) {
      if (violation.axiom == TimestampAxiom::kExt) {
        judge(violation);
      }
    }
  }

 private:
  [[nodiscard]] Suspect suspect(const TimestampEvidence& violation) const {
    const Op read = history_.ops(violation.txn)[violation.mop];
    if (violation.expected.kind == ExpectedRead::Kind::kScalar) {
      return {.shown = read.value()};
    }
    std::vector<ValueId> shown;  // but for what has no place in time
    std::ranges::copy_if(
        external_part(history_, violation.txn, violation.mop), std::back_inserter(shown),
        [&](ValueId element) { return !maybe_writes_.contains(violation.key, element); });
    const std::span<const ValueId> whole = violation.expected.elements;
    const std::span<const ValueId> expected =
        whole.first(whole.size() - own_appends(history_, violation.txn, violation.mop));
    const auto [in_shown, in_expected] =
        std::mismatch(shown.begin(), shown.end(), expected.begin(), expected.end());
    if (in_shown != shown.end()) {
      return {.shown = *in_shown};
    }
    return {.last = shown.empty() ? ValueId::none() : shown.back(),
            .missing = in_expected == expected.end() ? ValueId::none() : *in_expected};
  }

  void ask_for(const TimestampEvidence& violation) {
    const Suspect about = suspect(violation);
    for (const ValueId value : {about.shown, about.last, about.missing}) {
      writers_.try_emplace(packed(violation.key, value));
    }
    is_asked_.resize(history_.key_count());
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
      return ReadOrigin::kUncommitted;  // as far as anybody knows
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

  void judge(TimestampEvidence& violation) const {
    const Suspect about = suspect(violation);
    if (about.shown.is_none()) {
      judge_missing(violation, about);
      return;
    }
    const bool is_list = violation.expected.kind != ExpectedRead::Kind::kScalar;
    if (!is_list && (about.shown.is_nil() || about.shown == history_.info().initial)) {
      violation.origin = ReadOrigin::kBefore;  // the initial state, unless somebody wrote it too
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

  /// The list read is the beginning of the one expected.
  void judge_missing(TimestampEvidence& violation, const Suspect& about) const {
    violation.origin = ReadOrigin::kBefore;
    const auto writers = [&](ValueId value) -> const std::vector<Writer>& {
      return writers_.at(packed(violation.key, value));
    };
    for (const Writer& writer : writers(about.last)) {
      if (origin(violation, writer, true) != ReadOrigin::kBefore) {
        continue;  // it appended the same element, but this is not whose it was
      }
      violation.other = writer.txn;
      const bool went_on = std::ranges::any_of(
          writers(about.missing), [&](const Writer& next) { return next.txn == writer.txn; });
      if (went_on) {
        violation.origin = ReadOrigin::kIntermediate;
        return;
      }
    }
  }

  const History& history_;
  const Timeline& timeline_;
  const MaybeWrites& maybe_writes_;
  std::unordered_map<std::uint64_t, std::vector<Writer>> writers_;  // by key and value
  std::vector<bool> is_asked_;                                      // by key
};

}  // namespace

void find_origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                  std::span<TimestampEvidence> violations) {
  Origins(history, timeline, maybe_writes).fill_in(violations);
}

}  // namespace elapid
