#include "engine/evidence/steps.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "engine/evidence/rows.h"

namespace elapid {
namespace {

ValueId shown_by_target(const Step& step) {
  return step.relation == Relation::kWr ? step.value : step.value_after;
}

bool wrote(const History& history, TxnId txn, KeyId key, ValueId value) {
  return std::ranges::any_of(history.ops(txn), [&](Op op) {
    return op.is_write() && op.key() == key && op.value() == value;
  });
}

/// Tells why one version of a register comes before another.
class OrderReason {
 public:
  OrderReason(std::span<const TxnId> told, Story& story)
      : told_(told), story_(story), history_(story.history()) {}

  Phrase tell(const VersionReason& reason) {
    const ActorPart earlier = actor(reason.earlier);
    const ActorPart later = actor(reason.later);
    const std::string source(name(reason.source));
    switch (reason.source) {
      case VersionSource::kSequentialKeys:
        return phrase(", since {} {} before {} {} in {} {} ({})", earlier, did(reason.earlier),
                      later, did(reason.later),
                      history_.info().is_session_trace ? "session" : "process",
                      history_.session_text(history_.session(reason.later.txn)), source);
      case VersionSource::kLinearizableKeys:
        return phrase(", since {} {} and completed before {} was invoked, which {} ({})", earlier,
                      did(reason.earlier), later, did(reason.later), source);
      case VersionSource::kWfrKeys:
        return phrase(", since {} {} before it {} ({})", earlier, did(reason.earlier),
                      did(reason.later), source);
      default:
        return phrase(", since {}, which {}, has an earlier place than {}, which {} ({})", earlier,
                      did(reason.earlier), later, did(reason.later), source);
    }
  }

 private:
  [[nodiscard]] Op op(OpRef ref) const { return history_.ops(ref.txn)[ref.mop]; }

  /// A transaction that was not told before is a witness.
  ActorPart actor(OpRef ref) {
    const auto mop = static_cast<std::int32_t>(ref.mop);
    if (std::ranges::find(told_, ref.txn) != told_.end()) {
      return story_.actor(ref.txn, mop);
    }
    return story_.witness({.txn = ref.txn, .mop = ref.mop}, std::array{op(ref).value()});
  }

  [[nodiscard]] Phrase did(OpRef ref) const {
    return phrase("{} {}", op(ref).is_write() ? "wrote" : "read", ValuePart{op(ref).value()});
  }

  std::span<const TxnId> told_;
  Story& story_;
  const History& history_;
};

/// Tells the reason of one step, and then its arrow.
class StepReason {
 public:
  StepReason(const Step& step, const KnownOrders& known, Story& story)
      : step_(step), known_(known), story_(story), history_(story.history()) {}

  Phrase tell() {
    if (history_.info().rows && step_.relation <= Relation::kRw) {
      return row_step_words(step_, a_, b_, story_);
    }
    switch (step_.relation) {
      case Relation::kProcess:
        if (history_.session(step_.from) != history_.session(step_.to)) {
          return phrase("{} is the initial state", a_);
        }
        return phrase("{} {} executed {} before {}",
                      history_.info().is_session_trace ? "session" : "process",
                      history_.session_text(history_.session(step_.from)), a_, b_);
      case Relation::kRealtime:
        return real_time();
      case Relation::kWr:
        return history_.has_lists() ? phrase("{} observed {}'s append of {} to key {}", b_, a_,
                                             ValuePart{step_.value}, key_)
                                    : register_read();
      case Relation::kWw:
        return step_.key.is_none() ? phrase("it commits before, {}", known_order())
               : history_.has_lists()
                   ? append()
                   : phrase("{} set key {} to {}{}", a_, key_, before(), register_write());
      case Relation::kRw:
        break;
    }
    return history_.has_lists()
               ? missed_append()
               : phrase("{} read key {} = {}{}", a_, key_, before(), register_write());
  }

  /// The same for two writers in either order. Both read the initial value that the next step is
  /// about, one at `mop` and the other at the beginning of that step.
  Phrase tell_either_way(const Step& next, std::int32_t mop) {
    story_.actor(step_.from, mop);
    const ValueId seen = history_.ops(step_.from)[static_cast<std::size_t>(mop)].value();
    return phrase(
        "both set key {}, so one of them committed before the other started; if {} was first, the "
        "two change places, since {} read key {} = {}, too",
        key_, b_, a_, story_.key(next.key), ValuePart{seen});
  }

  /// Requires a call of tell().
  [[nodiscard]] Arrow arrow() const {
    return {.from = a_.actor,
            .to = b_.actor,
            .relation = step_.relation,
            .key = key_.value,
            .from_mop = shown_mop(step_.from, step_.from_mop),
            .to_mop = shown_mop(step_.to, step_.to_mop),
            .is_assumed = is_assumed_,
            .by = by_};
  }

 private:
  /// The times of completion and invocation, as far as the source tells them.
  Phrase real_time() const {
    const EventRef invoked = invocation_ref(history_, step_.to);
    const Event earlier = history_.representative(step_.from);
    const Event later = history_.event(invoked.txn, invoked.kind);
    std::string elapsed;
    if (earlier.time && later.time && *later.time > *earlier.time) {
      const std::int64_t ns = *later.time - *earlier.time;
      std::array<char, 48> text{};
      std::snprintf(text.data(), text.size(), " %.3f seconds", static_cast<double>(ns) / 1e9);
      elapsed = ns < 500'000 ? " just" : text.data();
    }
    if (history_.info().is_session_trace) {
      return phrase("{} completed{} before the invocation of {}", a_, elapsed, b_);
    }
    return phrase("{} completed at index {},{} before the invocation of {}, at index {}", a_,
                  std::to_string(earlier.index), elapsed, b_, std::to_string(later.index));
  }

  Phrase append() {
    return phrase("{} appended {} after {} appended {} to {}{}", b_, ValuePart{step_.value_after},
                  a_, ValuePart{step_.value}, key_, shown_order());
  }

  /// Tells the proof or the read that shows the order of two appends.
  Phrase shown_order() {
    if (const std::string known = known_order(); !known.empty()) {
      return phrase(", {}", known);
    }
    const std::array both = {step_.value, step_.value_after};
    if (const auto read = story_.orders().read_with(step_.key, step_.value, step_.value_after)) {
      return shown_by(", as {} read {}", *read, both);
    }
    const auto read = story_.orders().read_without(step_.key, step_.value, step_.value_after);
    return read ? shown_by(", as {} read {} without it", *read,
                           std::array{step_.value, ValueId::none()})
                : Phrase();
  }

  Phrase shown_by(std::string_view words, const ListRead& read, std::span<const ValueId> elements) {
    ActorPart witness = story_.witness(read, elements);
    witness.with_place = read.txn != step_.from && read.txn != step_.to;
    return phrase(words, witness, story_.value(history_.ops(read.txn)[read.mop], elements));
  }

  /// A read that lacks a committed append comes before it. If the append is not committed, a read
  /// of it shows that it took effect.
  Phrase missed_append() {
    const ValuePart after = {step_.value_after};
    Phrase shown;
    if (!history_.committed(step_.to)) {
      const auto read = story_.orders().read_with(step_.key, ValueId::none(), step_.value_after);
      shown =
          read ? shown_by(", which {} read in {}", *read, std::array{step_.value_after}) : Phrase();
    }
    return step_.value.is_none()
               ? phrase("{} observed the initial (nil) state of {}, to which {} appended {}{}", a_,
                        key_, b_, after, shown)
               : phrase("{} did not observe {}'s append of {} to {}{}", a_, b_, after, key_, shown);
  }

  /// The register's value before the step.
  [[nodiscard]] ValuePart before() const { return {value_before(history_, step_)}; }

  /// If versions follow sessions or real time, a transaction may have read a later version than
  /// that of the step.
  Phrase register_read() {
    const std::optional<Op> read = target_op(step_.to_mop);
    const bool shows_another = read && read->kind() == OpKind::kRead && read->key() == step_.key &&
                               read->value() != step_.value;
    if (!shows_another) {
      return phrase("{} wrote {} = {}, which was read by {}", a_, key_, before(), b_);
    }
    const ValuePart another = {read->value()};
    const Phrase reason = version_reason(another.value);
    return reason.empty() ? phrase("{} wrote {} = {}, which was read before {} read {} = {}", a_,
                                   key_, before(), b_, key_, another)
                          : phrase("{} wrote {} = {}, and {} read the later version {}{}", a_, key_,
                                   before(), b_, another, reason);
  }

  [[nodiscard]] std::optional<Op> target_op(std::int32_t mop) const {
    const std::span<const Op> ops = history_.ops(step_.to);
    return mop >= 0 && static_cast<std::size_t>(mop) < ops.size()
               ? std::optional(ops[static_cast<std::size_t>(mop)])
               : std::nullopt;
  }

  /// Tells that the target wrote the register later, and why.
  Phrase register_write() {
    const ValuePart after = {step_.value_after};
    const bool is_initial =
        step_.value.is_none() || story_.orders().versions().is_initial(step_.key, step_.value);
    if (is_initial) {
      return phrase(", the initial value, and {} set it to {}", b_, after);
    }
    if (const std::string known = known_order(); !known.empty()) {
      return phrase(", and {} set it to {} later, {}", b_, after, known);
    }
    if (const std::optional<std::int32_t> read = own_read()) {
      story_.actor(step_.to, *read);
      return phrase(", which {} read before it set it to {}", b_, after);
    }
    const Phrase reason = version_reason(after.value);
    return reason.empty()
               ? phrase(", and {} set it to {}, which came later in the version order", b_, after)
               : phrase(", and {} set it to {} later{}", b_, after, reason);
  }

  /// Why the step's version comes before `after`; empty where no two operations say so.
  Phrase version_reason(ValueId after) {
    const std::array told = {step_.from, step_.to};
    const auto reason = story_.orders().versions().find(step_.key, step_.value, after, told);
    return reason ? to_phrase(*reason, told, story_) : Phrase();
  }

  /// The read of the version by the target before its write.
  [[nodiscard]] std::optional<std::int32_t> own_read() const {
    for (std::int32_t mop = 0; mop < step_.to_mop; ++mop) {
      const std::optional<Op> op = target_op(mop);
      if (op && op->kind() == OpKind::kRead && op->key() == step_.key &&
          op->value() == step_.value) {
        return mop;
      }
    }
    return std::nullopt;
  }

  /// Whether the choice orders the writer of the version before the step and its target.
  [[nodiscard]] bool orders(const Choice& choice) const {
    return choice.kind == Choice::Kind::kBefore && choice.second == step_.to &&
           (step_.relation == Relation::kWw
                ? choice.first == step_.from
                : wrote(history_, choice.first, step_.key, step_.value));
  }

  std::string known_order() {
    const auto by_this = [this](const Choice& choice) { return orders(choice); };
    if (std::ranges::any_of(known_.assumed, by_this)) {
      is_assumed_ = true;
      return "as assumed";
    }
    const auto proved = std::ranges::find_if(known_.proved, by_this);
    if (proved == known_.proved.end()) {
      return "";
    }
    by_ = static_cast<std::size_t>(proved - known_.proved.begin()) + 1;
    return "by (" + std::to_string(by_) + ")";
  }

  /// The operation, if the event that stands for the transaction shows it.
  [[nodiscard]] std::optional<std::uint32_t> shown_mop(TxnId txn, std::int32_t mop) const {
    const std::span<const Op> shown = shown_ops(history_, representative_ref(history_, txn));
    return mop >= 0 && shown.data() == history_.ops(txn).data()
               ? std::optional(static_cast<std::uint32_t>(mop))
               : std::nullopt;
  }

  const Step& step_;
  const KnownOrders& known_;
  Story& story_;
  const History& history_;
  bool is_assumed_ = false;  // what was told rests on the known orders
  std::size_t by_ = 0;
  ActorPart a_ = story_.actor(step_.from);
  ActorPart b_ = story_.actor(step_.to);
  ValuePart key_ = step_.key.is_none() ? ValuePart() : story_.key(step_.key);
};

bool is_of_initial(const Step& step) {
  return step.relation == Relation::kRw && step.value.is_none();
}

/// The first of the two writers of a register may read the initial value that the next step says
/// the second one read. Returns this read; nothing if the order of the writers is known, or
/// matters.
std::optional<std::int32_t> either_way(const History& history, const Step& before, const Step& step,
                                       const Step& after) {
  const bool is_between = step.relation == Relation::kWw && is_of_initial(before) &&
                          is_of_initial(after) && before.key == step.key && after.from == step.to &&
                          after.from_mop >= 0;
  if (!is_between || history.has_lists() || history.info().rows) {
    return std::nullopt;
  }
  const std::span<const Op> ops = history.ops(step.from);
  const ValueId initial = history.ops(after.from)[static_cast<std::size_t>(after.from_mop)].value();
  const auto own = std::ranges::find_if(ops, [&](const Op op) { return op.key() == after.key; });
  const bool reads_alike =
      own != ops.end() && own->kind() == OpKind::kRead && own->value() == initial;
  return reads_alike ? std::optional(static_cast<std::int32_t>(own - ops.begin())) : std::nullopt;
}

}  // namespace

Phrase to_phrase(const VersionReason& reason, std::span<const TxnId> told, Story& story) {
  return OrderReason(told, story).tell(reason);
}

ValueId value_before(const History& history, const Step& step) {
  if (!step.value.is_none()) {
    return step.value;
  }
  const std::span<const Op> ops = history.ops(step.from);
  const auto mop = static_cast<std::size_t>(step.from_mop);
  const bool tells = step.relation == Relation::kRw && step.from_mop >= 0 && mop < ops.size() &&
                     ops[mop].kind() == OpKind::kRead && ops[mop].key() == step.key &&
                     history.is_initial(ops[mop].value());
  return tells ? ops[mop].value() : history.info().initial;
}

void cast(std::span<const Step> steps, Story& story) {
  for (const Step& step : steps) {
    story.actor(step.from, step.from_mop, step.value);
    story.actor(step.to, step.to_mop, shown_by_target(step));
  }
}

std::vector<Claim> chain(std::span<const Step> steps, const KnownOrders& known, Story& story) {
  cast(steps, story);
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const Step& before = steps[(i + steps.size() - 1) % steps.size()];
    const Step& after = steps[(i + 1) % steps.size()];
    const bool is_last = i + 1 == steps.size();
    StepReason reason(step, known, story);
    const auto own = either_way(story.history(), before, step, after);
    const Phrase says =
        phrase(is_last ? "However, {} < {}, because {}: a contradiction!" : "{} < {}, because {}.",
               story.actor(step.from), story.actor(step.to),
               own ? reason.tell_either_way(after, *own) : reason.tell());
    claims.push_back({.says = says, .arrow = reason.arrow()});
  }
  return claims;
}

}  // namespace elapid
