// Streams in any order, with memory for next to nothing and restarts in between, against the
// offline check of the whole.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/online/forgetful_page_store.h"
#include "engine/online/online_checker.h"
#include "engine/online/placed_txn.h"
#include "engine/timestamps/anomaly_types.h"
#include "engine/timestamps/check_timestamps.h"
#include "engine/verdict/timestamp_names.h"
#include "tests/property/random_timed.h"
#include "tests/support/memory_page_store.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array<const char*, 7> kOrigins = {"before",  "uncommitted", "after",  "intermediate",
                                                 "aborted", "own-future",  "nowhere"};

Atom atom(std::int64_t number) {
  AtomTable unused;
  return unused.integer(number);
}

Atom initial_of(const TimedHistory& timed) {
  return timed.initial ? atom(*timed.initial) : Atom::nil();
}

std::string number(Atom atom) {
  return AtomTable().json(atom);
}

/// Ids descend, so that of two transactions at one moment another one is the later one than in the
/// history.
constexpr std::int64_t kFirstId = 99;

Atom id_of(std::size_t place) {
  return atom(kFirstId - static_cast<std::int64_t>(place));
}

std::size_t place_of(Atom id) {
  return static_cast<std::size_t>(kFirstId - std::stol(number(id)));
}

std::string place(Atom id) {
  return id.is_none() ? "null" : std::to_string(place_of(id));
}

/// By the key that identifies violations: their names, and the other known facts.
using Lines = std::map<std::string, std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& [name, facts] : lines) {
    text += name + " (" + facts + "); ";
  }
  return text;
}

/// Two writers at one moment have no order: either may be called the later one.

std::string pair_of(const std::string& a, const std::string& b) {
  return std::min(a, b) + " " + std::max(a, b);
}

std::string listed(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values) {
    text += " " + std::to_string(value);
  }
  return text;
}

/// The writer of the value read, by its commit: of several with one commit time, any may be named.
/// Aborted writers have no commit.
std::string source(const TimedHistory& timed, ReadOrigin origin, std::optional<std::size_t> other) {
  if (!other || origin == ReadOrigin::kAborted) {
    return other ? " aborted" : " unwritten";
  }
  const TimedTxn& txn = timed.txns[*other];
  return " of " + std::to_string(txn.commit.value_or(-1));
}

std::string skewed(bool is_within) {
  return is_within ? " skewed" : "";
}

/// The offline check's answer; transactions by their place in `timed`.
class Offline {
 public:
  Offline(const TimedHistory& timed, bool serial, std::int64_t skew = 0)
      : timed_(timed), history_(build(timed)) {
    std::vector<std::size_t> next(history_.session_count());
    places_.resize(history_.txn_count());
    for (std::size_t t = 0; t < timed.txns.size(); ++t) {
      for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
        if (history_.session_name({s}) == timed.txns[t].session) {
          places_[history_.session_txns({s})[next[s]++].index()] = t;
        }
      }
    }
    const TimestampFindings found =
        check_timestamps(history_, {.read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart,
                                    .sessions = true,
                                    .clock_skew = skew});
    has_doubt = found.doubt.has_value();
    for (const TimestampEvidence& violation : found.violations) {
      add(violation);
    }
  }

  Lines lines = {};
  bool has_doubt = false;

 private:
  [[nodiscard]] std::string place(TxnId txn) const {
    return txn.is_none() ? "null" : std::to_string(places_[txn.index()]);
  }

  [[nodiscard]] std::string values(std::span<const ValueId> ids) const {
    std::vector<std::int64_t> values;
    for (const ValueId id : ids) {
      values.push_back(id.as_integer());
    }
    return listed(values);
  }

  void add(const TimestampEvidence& violation) {
    const std::string skew = skewed(violation.within_clock_skew) + " " +
                             std::string(name(anomaly_type(history_, violation)));
    const std::string txn = place(violation.txn);
    const std::string read = txn + " " + std::to_string(violation.mop);
    switch (violation.axiom) {
      case TimestampAxiom::kInt:
        lines["int " + read] = values(violation.expected.elements);
        break;
      case TimestampAxiom::kExt:
        lines["ext " + read] =
            std::string(kOrigins.at(static_cast<std::size_t>(violation.origin))) +
            source(timed_, violation.origin,
                   violation.other.is_none() ? std::nullopt
                                             : std::optional(places_[violation.other.index()])) +
            ", not of " + place(violation.expected_writer) + skew;
        break;
      case TimestampAxiom::kNoConflict:
        lines["noconflict " + pair_of(txn, place(violation.other)) + " " +
              std::to_string(history_.key_value(violation.key).as_integer())] = skew;
        break;
      case TimestampAxiom::kSession:
        lines["session " + txn] = place(violation.other) + skew;
        break;
      case TimestampAxiom::kStartFirst:
        lines["start " + txn] = skew;
        break;
      case TimestampAxiom::kRealTime:
        break;
    }
  }

  const TimedHistory& timed_;
  History history_;
  std::vector<std::size_t> places_;
};

std::optional<Timestamp> timestamp(std::optional<std::int64_t> time) {
  return time ? std::optional(Timestamp{*time, 0}) : std::nullopt;
}

/// Transactions are numbered by their places, or have no order but that in which they arrive.
OnlineTxn online_txn(const TimedHistory& timed, std::size_t t, bool is_numbered) {
  const TimedTxn& from = timed.txns[t];
  const SessionNumber number = {static_cast<std::int64_t>(t / 2), static_cast<std::int64_t>(t % 2)};
  OnlineTxn txn = {.id = id_of(t),
                   .session = atom(from.session),
                   .sequence = is_numbered ? std::optional(number) : std::nullopt,
                   .status = from.status,
                   .start = timestamp(from.start),
                   .commit = timestamp(from.commit)};
  for (const TinyMop& mop : from.mops) {
    OnlineOp op = {.kind = mop.kind, .key = atom(mop.key)};
    if (timed.model == Workload::kListAppend && mop.is_read()) {
      op.kind = OpKind::kReadList;
      op.list_begin = static_cast<std::uint32_t>(txn.elements.size());
      op.list_length = static_cast<std::uint32_t>(mop.values.size());
      for (const std::int64_t value : mop.values) {
        txn.elements.push_back(atom(value));
      }
    } else if (!mop.values.empty()) {
      op.value = atom(mop.values.front());
    }
    txn.ops.push_back(op);
  }
  return txn;
}

/// The names and facts of violations, as Offline has them.
Lines lines_of(const TimedHistory& timed, const std::map<ViolationName, ViolationFacts>& violations,
               bool at_commit) {
  Lines lines;
  for (const auto& [name, facts] : violations) {
    const AnomalyType type = anomaly_type({.axiom = name.axiom,
                                           .at_commit = at_commit,
                                           .origin = facts.origin,
                                           .depends = facts.depends});
    const std::string skew =
        skewed(facts.within_clock_skew) + " " + std::string(elapid::name(type));
    const std::string txn = place(name.txn);
    const std::string read = txn + " " + std::to_string(name.mop);
    switch (name.axiom) {
      case TimestampAxiom::kInt: {
        std::string expected;
        for (const Atom value : facts.list_expected) {
          expected += " " + number(value);
        }
        lines["int " + read] = expected;
        break;
      }
      case TimestampAxiom::kExt:
        lines["ext " + read] =
            std::string(kOrigins.at(static_cast<std::size_t>(facts.origin))) +
            source(timed, facts.origin,
                   facts.other.is_none() ? std::nullopt : std::optional(place_of(facts.other))) +
            ", not of " + place(facts.expected_writer) + skew;
        break;
      case TimestampAxiom::kNoConflict:
        lines["noconflict " + pair_of(txn, place(name.earlier)) + " " + number(name.key)] = skew;
        break;
      case TimestampAxiom::kSession:
        lines["session " + txn] = place(facts.other) + skew;
        break;
      case TimestampAxiom::kStartFirst:
        lines["start " + txn] = skew;
        break;
      case TimestampAxiom::kRealTime:
        break;
    }
  }
  return lines;
}

/// What events say, put together: the violations that are final.
class Told {
 public:
  /// What is wrong with the event; empty if nothing.
  std::string hear(const OnlineEvent& event) {
    if (event.kind == OnlineEvent::Kind::kProvisional) {
      return provisional_.insert({event.name, {}}).second ? "" : "provisional twice";
    }
    if (event.kind == OnlineEvent::Kind::kRetracted) {
      return provisional_.erase(event.name) == 1 ? "" : "retracted what was not provisional";
    }
    if (event.number != ++count_) {
      return "numbers leap";
    }
    if (event.kind == OnlineEvent::Kind::kFinal && all.contains(event.name)) {
      return "final twice";
    }
    provisional_.erase(event.name);
    if (event.stands) {
      all[event.name] = event.facts;
      return "";
    }
    return all.erase(event.name) == 1 ? "" : "taken back what was not final";
  }

  std::map<ViolationName, ViolationFacts> all = {};

 private:
  std::map<ViolationName, ViolationFacts> provisional_;
  std::uint64_t count_ = 0;
};

/// Sends transactions, with watermarks that are true or not, and now and then takes all memory away
/// or starts again from what was saved.
class Stream {
 public:
  /// `is_numbered`: they may come in any order; else they come in the order of the history.
  Stream(const TimedHistory& timed, bool serial, bool is_numbered, std::uint64_t skew,
         std::uint64_t seed)
      : timed_(timed), serial_(serial), is_numbered_(is_numbered), random_(seed) {
    options_ = {.workload = timed.model,
                .read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart,
                .sessions = true,
                .initial = initial_of(timed),
                .clock_skew = {skew},
                .page_entries = 1 + random_.below(4)};
    start();
  }

  std::string run() {
    for (const std::size_t t : order()) {
      const OnlineTxn txn = online_txn(timed_, t, is_numbered_);
      if (!checker_->add(txn) || checker_->add(txn)) {
        return "the set of what was there is wrong";
      }
      disturb();
    }
    checker_->advance(Timestamp::last());
    hear();
    if (told_.all != checker_->ledger().all()) {
      return "events tell something else: " + joined(lines_of(timed_, told_.all, serial_));
    }
    return wrong_;
  }

  [[nodiscard]] Lines lines() const { return lines_of(timed_, checker_->ledger().all(), serial_); }

  [[nodiscard]] bool has_doubt() const {
    const OnlineCounts& counts = checker_->counts();
    return counts.unplaced + counts.tied + counts.maybe > 0;
  }

  /// Whether the order of arrival is not believed.
  [[nodiscard]] bool is_disordered() const { return checker_->counts().disordered > 0; }

  [[nodiscard]] std::uint64_t provisional() const { return checker_->counts().provisional; }

 private:
  void start() { checker_ = std::make_unique<OnlineChecker>(options_, store_); }

  std::vector<std::size_t> order() {
    std::vector<std::size_t> order(timed_.txns.size());
    std::iota(order.begin(), order.end(), 0U);
    if (is_numbered_) {
      random_.shuffle(order);
    }
    return order;
  }

  void hear() {
    for (const OnlineEvent& event : checker_->take_events()) {
      wrong_ += told_.hear(event);
    }
  }

  void disturb() {
    if (random_.percent(30)) {
      checker_->advance({static_cast<std::int64_t>(random_.below(16)), 0});
    }
    if (random_.percent(30)) {
      checker_->shrink(0);
    }
    hear();
    if (random_.percent(15)) {
      const std::string saved = checker_->save();
      start();
      checker_->restore(saved);
    }
  }

  const TimedHistory& timed_;
  bool serial_;
  bool is_numbered_;
  Random random_;
  OnlineOptions options_;
  MemoryPageStore store_;
  std::unique_ptr<OnlineChecker> checker_;
  Told told_;
  std::string wrong_;
};

/// How far clocks may be wrong in a case.
std::uint64_t skew_of(std::uint64_t seed) {
  return seed % 3 == 0 ? seed % 7 : 0;
}

std::string compared(const Lines& expected, bool expects_doubt, const Lines& found,
                     bool has_doubt) {
  return found == expected && has_doubt == expects_doubt
             ? ""
             : "\nexpected " + joined(expected) + (expects_doubt ? "doubt" : "") + "\nfound    " +
                   joined(found) + (has_doubt ? "doubt" : "");
}

TEST_CASE("online property: in any order the violations are those of the offline check") {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  for_all_timed(1000, [&](const TimedHistory& timed, std::uint64_t seed) -> std::string {
    for (const bool serial : {false, true}) {
      const Offline offline(timed, serial, static_cast<std::int64_t>(skew_of(seed)));
      Stream stream(timed, serial, true, skew_of(seed), seed);
      std::string wrong = stream.run();
      wrong += compared(offline.lines, offline.has_doubt, stream.lines(), stream.has_doubt());
      wrong += stream.provisional() != 0 ? " still provisional" : "";
      wrong += stream.is_disordered() ? " disordered" : "";
      if (!wrong.empty()) {
        return (serial ? "serial " : "snapshot ") + wrong;
      }
      ++(offline.lines.empty() ? valid : invalid);
    }
    return "";
  });
  CHECK(valid > case_count(1000) / 4);
  CHECK(invalid > case_count(1000));
}

std::size_t erase_sessions(Lines& lines) {
  return std::erase_if(lines, [](const auto& line) { return line.first.starts_with("session"); });
}

/// Many arrive in the order of their starts, as they would.
TimedHistory arrived(TimedHistory timed, std::uint64_t seed) {
  if (seed % 4 != 0) {
    std::ranges::stable_sort(timed.txns, {},
                             [](const TimedTxn& txn) { return txn.start.value_or(0); });
  }
  for (TimedTxn& txn : timed.txns) {
    txn.real_time.reset();
  }
  return timed;
}

TEST_CASE("online property: sessions without numbers are those of the file, or in doubt") {
  std::size_t believed = 0;  // violations
  std::size_t doubted = 0;   // streams
  std::size_t invalid_anyway = 0;
  for_all_timed(1000, [&](const TimedHistory& original, std::uint64_t seed) -> std::string {
    const TimedHistory timed = arrived(original, seed);
    for (const bool serial : {false, true}) {
      const Offline offline(timed, serial, static_cast<std::int64_t>(skew_of(seed)));
      Stream stream(timed, serial, false, skew_of(seed), seed);
      std::string wrong = stream.run();
      Lines expected = offline.lines;
      Lines found = stream.lines();
      if (stream.is_disordered()) {
        const bool is_invalid = erase_sessions(found) > 0;
        const bool should_be = erase_sessions(expected) > 0;
        wrong += is_invalid && !should_be ? "a violation that the file's order has not" : "";
        ++doubted;
        invalid_anyway += is_invalid ? 1 : 0;
      }
      wrong += compared(expected, offline.has_doubt, found, stream.has_doubt());
      if (!wrong.empty() || stream.provisional() != 0) {
        return (serial ? "serial " : "snapshot ") + wrong;
      }
      believed += erase_sessions(found);
    }
    return "";
  });
  CHECK(believed > case_count(1000));
  CHECK(doubted > case_count(1000));
  CHECK(invalid_anyway > case_count(1000) / 10);
}

/// All facts but the origins of values, whose versions may be forgotten, and the types that depend
/// on origins.
Lines without_origins(Lines lines) {
  for (auto& [name, facts] : lines) {
    if (name.starts_with("ext")) {
      facts = facts.substr(facts.find(','));
    }
    if (name.starts_with("ext") || name.starts_with("noconflict")) {
      facts.erase(facts.rfind(' '));
    }
  }
  return lines;
}

/// The time of a transaction's reads; transactions without a time come first.
Moment read_moment_of(const TimedHistory& timed, std::size_t t, ReadPoint read_point) {
  const OnlineTxn txn = online_txn(timed, t, false);
  const PlacedTxn placed(txn, read_point);
  return placed.has_place() ? placed.reads : Moment::first();
}

std::vector<std::size_t> order_of_reads(const TimedHistory& timed, ReadPoint read_point) {
  std::vector<std::size_t> order(timed.txns.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t t) { return read_moment_of(timed, t, read_point); });
  return order;
}

TimedHistory sorted(const TimedHistory& timed, ReadPoint read_point) {
  TimedHistory sorted = {.model = timed.model, .initial = timed.initial};
  for (const std::size_t t : order_of_reads(timed, read_point)) {
    sorted.txns.push_back(timed.txns[t]);
    sorted.txns.back().real_time.reset();
  }
  return sorted;
}

/// The answer of a check that forgets whatever is final, for which transactions are sorted.
Lines sorted_lines(const TimedHistory& timed, bool serial, bool is_numbered) {
  const ReadPoint read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart;
  ForgetfulPageStore store;
  OnlineChecker checker({.workload = timed.model,
                         .read_point = read_point,
                         .sessions = true,
                         .initial = initial_of(timed),
                         .page_entries = 2,
                         .is_sorted = true},
                        store);
  for (const std::size_t t : order_of_reads(timed, read_point)) {
    checker.add(online_txn(timed, t, is_numbered));
    const Moment at = read_moment_of(timed, t, read_point);
    if (at != Moment::first()) {
      checker.advance(just_before(at.time()));
      checker.forget();
    }
  }
  checker.advance(Timestamp::last());
  return without_origins(lines_of(timed, checker.ledger().all(), serial));
}

TEST_CASE("online property: what is sorted by time needs no past") {
  for_all_timed(1000, [&](const TimedHistory& timed, std::uint64_t) -> std::string {
    for (const bool serial : {false, true}) {
      const TimedHistory file = sorted(timed, serial ? ReadPoint::kCommit : ReadPoint::kStart);
      for (const bool is_numbered : {false, true}) {
        const TimedHistory& history = is_numbered ? timed : file;
        const std::string wrong = compared(without_origins(Offline(history, serial).lines), false,
                                           sorted_lines(history, serial, is_numbered), false);
        if (!wrong.empty()) {
          return (serial ? "serial" : "snapshot") + wrong;
        }
      }
    }
    return "";
  });
}

}  // namespace
}  // namespace elapid
