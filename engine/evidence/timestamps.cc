// Violations of the order that a database's timestamps give.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/evidence/kinds.h"

namespace elapid {
namespace {

/// The fault of a read, by where its value comes from.
std::string_view verdict_on(ReadOrigin origin) {
  constexpr std::array<std::string_view, kReadOriginCount> kWords = {
      "a read of the past",
      "a read of what was not committed",
      "a read of the future",
      "a read of an intermediate state",
      "a read of an aborted write",
      "a read of what it wrote itself later",
      "a read of a value from nowhere"};
  return kWords.at(static_cast<std::size_t>(origin));
}

/// The violation, if the name of its type says only that a cycle exists.
std::string_view gloss_of(TimestampAxiom axiom) {
  constexpr std::array<std::string_view, kTimestampAxiomCount> kWords = {
      "",
      "a read that contradicts the order of the timestamps",
      "writes that contradict the order of the timestamps",
      "a session that contradicts the order of the timestamps",
      "real time that contradicts the order of the timestamps",
      "a transaction that ends before it begins"};
  return kWords.at(static_cast<std::size_t>(axiom));
}

class TimestampTeller {
 public:
  TimestampTeller(const TimestampEvidence& evidence, Story& story)
      : evidence_(evidence), story_(story), history_(story.history()) {}

  void tell() {
    if (std::string_view(name(story_.type())).ends_with("cycle-exists")) {
      story_.gloss(std::string(gloss_of(evidence_.axiom)));
    }
    switch (evidence_.axiom) {
      case TimestampAxiom::kInt:
        tell_internal();
        break;
      case TimestampAxiom::kExt:
        tell_external();
        break;
      case TimestampAxiom::kNoConflict:
        tell_conflict();
        break;
      case TimestampAxiom::kSession:
      case TimestampAxiom::kRealTime:
        tell_order();
        break;
      case TimestampAxiom::kStartFirst:
        story_.claim("However, {} {} and {}: it ends before it begins!", actor(evidence_.txn),
                     started(evidence_.txn), committed(evidence_.txn));
        break;
    }
    if (evidence_.within_clock_skew) {
      story_.claim("It may be an error of the clocks: they may differ by that much.");
    }
  }

 private:
  /// An actor that shows all its operations on the key; all operations if there is no key.
  ActorPart actor(TxnId txn) {
    const EventRef event = representative_ref(history_, txn);
    const std::span<const Op> ops = shown_ops(history_, event);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (evidence_.key.is_none() || ops[mop].key() == evidence_.key) {
        story_.actor(event, Focus{mop});
      }
    }
    return story_.actor(event);
  }

  /// A timestamp as a number; of a hybrid clock both parts.
  [[nodiscard]] std::string time(std::optional<std::int64_t> time) const {
    const unsigned logical_bits = history_.info().logical_bits;
    if (!time) {
      return "an unknown time";
    }
    return logical_bits == 0 ? std::to_string(*time)
                             : std::to_string(*time >> logical_bits) + "." +
                                   std::to_string(*time & ((std::int64_t{1} << logical_bits) - 1));
  }

  [[nodiscard]] std::string started(TxnId txn) const {
    return "started at " + time(history_.start_timestamp(txn));
  }

  [[nodiscard]] std::string committed(TxnId txn) const {
    return "committed at " + time(history_.commit_timestamp(txn));
  }

  /// The time at which the transaction at fault reads.
  [[nodiscard]] std::string read_time() const {
    return evidence_.at_commit ? committed(evidence_.txn) : started(evidence_.txn);
  }

  [[nodiscard]] ValuePart key() const { return story_.key(evidence_.key); }

  [[nodiscard]] Phrase shown() const {
    return story_.value(history_.ops(evidence_.txn)[evidence_.mop]);
  }

  void tell_internal() {
    const ActorPart t1 = actor(evidence_.txn);
    story_.claim("By its own earlier operations, {} must read key {} as {}.", t1, key(),
                 expectation(evidence_.expected));
    story_.claim("However, {} read {}: it contradicts itself!", t1, shown());
  }

  void tell_external() {
    const ActorPart t1 = actor(evidence_.txn);
    if (evidence_.expected_writer.is_none()) {
      story_.claim("{} {}, and no transaction had committed a write of key {} before: it was {}.",
                   t1, read_time(), key(), expectation(evidence_.expected));
    } else {
      const ActorPart t2 = actor(evidence_.expected_writer);
      story_.claim("{} {}, and {} had {} the last write of key {} before: it was {}.", t1,
                   read_time(), t2, committed(evidence_.expected_writer), key(),
                   expectation(evidence_.expected));
      story_.arrow({.from = t2.actor,
                    .to = t1.actor,
                    .relation = Relation::kRealtime,
                    .by_timestamps = true});
    }
    tell_writer();
    story_.claim("However, {} read {}: {}!", t1, shown(), verdict_on(evidence_.origin));
    if (evidence_.origin == ReadOrigin::kBefore && !evidence_.expected_writer.is_none()) {
      show(Relation::kRw, evidence_.txn, evidence_.expected_writer);
    }
  }

  /// Draws the arrow that the last claim shows between two transactions, on the key.
  void show(Relation relation, TxnId from, TxnId to) {
    const bool is_of_key =
        relation == Relation::kWw || relation == Relation::kWr || relation == Relation::kRw;
    const auto mop = [&](TxnId txn) -> std::optional<std::uint32_t> {
      if (!is_of_key) {
        return std::nullopt;
      }
      const bool is_reader = relation != Relation::kWw && txn == evidence_.txn;
      return is_reader ? std::optional(evidence_.mop)
                       : story_.write_of(representative_ref(history_, txn), evidence_.key);
    };
    story_.arrow({.from = story_.actor(from).actor,
                  .to = story_.actor(to).actor,
                  .relation = relation,
                  .key = is_of_key ? key().value : ValueId::none(),
                  .from_mop = mop(from),
                  .to_mop = mop(to)});
  }

  /// Tells the writer of what was read.
  void tell_writer() {
    const TxnId writer = evidence_.other;
    if (writer.is_none() || writer == evidence_.txn || writer == evidence_.expected_writer) {
      return;
    }
    const ActorPart t3 = actor(writer);
    if (evidence_.origin == ReadOrigin::kAborted) {
      story_.claim("{} wrote what was read, and aborted.", t3);
    } else {
      story_.claim("{} wrote what was read; it {} and {}.", t3, started(writer), committed(writer));
    }
    show(Relation::kWr, writer, evidence_.txn);
  }

  void tell_conflict() {
    const ActorPart t1 = actor(evidence_.other);
    const ActorPart t2 = actor(evidence_.txn);
    story_.claim("{} {} and {}; {} {} and {}.", t1, started(evidence_.other),
                 committed(evidence_.other), t2, started(evidence_.txn), committed(evidence_.txn));
    story_.claim("However, both wrote key {}, and both committed although they overlap!", key());
    show(Relation::kWw, evidence_.other, evidence_.txn);
  }

  void tell_order() {
    const ActorPart t1 = actor(evidence_.other);
    const ActorPart t2 = actor(evidence_.txn);
    if (evidence_.axiom == TimestampAxiom::kSession) {
      story_.claim("{} comes before {} in session {}.", t1, t2,
                   history_.session_text(history_.session(evidence_.txn)));
    } else {
      story_.claim("{} had completed before {} was invoked.", t1, t2);
    }
    show(evidence_.axiom == TimestampAxiom::kSession ? Relation::kProcess : Relation::kRealtime,
         evidence_.other, evidence_.txn);
    story_.claim("However, {} {}, and {} {}: later!", t2, read_time(), t1,
                 committed(evidence_.other));
  }

  const TimestampEvidence& evidence_;
  Story& story_;
  const History& history_;
};

}  // namespace

void tell(const TimestampEvidence& evidence, Story& story) {
  TimestampTeller(evidence, story).tell();
}

}  // namespace elapid
