// Streams in any order, with memory for next to nothing and restarts in between, against the
// offline check of the whole.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/online/forgetful_page_store.h"
#include "engine/online/memory_page_store.h"
#include "engine/online/online_checker.h"
#include "engine/online/placed_txn.h"
#include "engine/timestamp_names.h"
#include "engine/timestamps/anomaly_types.h"
#include "engine/timestamps/check_timestamps.h"
#include "tests/property/random_timed.h"

namespace elapid {
namespace {

constexpr std::array<const char*, 7> kOrigins = {"before",  "uncommitted", "after",  "intermediate",
                                                 "aborted", "own-future",  "nowhere"};

Atom atom(std::int64_t number) {
  AtomTable unused;
  return unused.integer(number);
}

std::string number(Atom atom) {
  return AtomTable().json(atom);
}

/// By what makes violations the same: their names, and what else is known.
using Lines = std::map<std::string, std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& [name, facts] : lines) {
    text += name + " (" + facts + "); ";
  }
  return text;
}

/// Two writers at one moment have no order, so that either may be called the later one, and what
/// clocks explain hangs on which.
void unmark_ties(const TimedHistory& timed, Lines& lines) {
  for (auto& [name, facts] : lines) {
    std::istringstream words(name);
    std::string axiom;
    std::size_t a = 0;
    std::size_t b = 0;
    words >> axiom >> a >> b;
    if (axiom == "noconflict" && timed.txns[a].commit == timed.txns[b].commit) {
      facts.clear();
    }
  }
}

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
        check_timestamps(history_, {.data_model = timed.model,
                                    .read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart,
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
            std::string(kOrigins.at(static_cast<std::size_t>(violation.origin))) + " not of " +
            place(violation.expected_writer) + skew;
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

OnlineTxn online_txn(const TimedHistory& timed, std::size_t t) {
  const TimedTxn& from = timed.txns[t];
  OnlineTxn txn = {.id = atom(static_cast<std::int64_t>(t)),
                   .session = atom(from.session),
                   .sequence = Timestamp{static_cast<std::int64_t>(t), 0},
                   .status = from.status,
                   .start = timestamp(from.start),
                   .commit = timestamp(from.commit)};
  for (const TinyMop& mop : from.mops) {
    OnlineOp op = {.kind = mop.kind, .key = atom(mop.key)};
    if (timed.model == DataModel::kListAppend && mop.is_read()) {
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
Lines lines_of(const std::map<ViolationName, ViolationFacts>& violations, bool at_commit) {
  Lines lines;
  for (const auto& [name, facts] : violations) {
    const AnomalyType type = anomaly_type({.axiom = name.axiom,
                                           .at_commit = at_commit,
                                           .origin = facts.origin,
                                           .depends = facts.depends});
    const std::string skew =
        skewed(facts.within_clock_skew) + " " + std::string(elapid::name(type));
    const std::string txn = number(name.txn);
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
        lines["ext " + read] = std::string(kOrigins.at(static_cast<std::size_t>(facts.origin))) +
                               " not of " + number(facts.expected_writer) + skew;
        break;
      case TimestampAxiom::kNoConflict:
        lines["noconflict " + pair_of(txn, number(name.earlier)) + " " + number(name.key)] = skew;
        break;
      case TimestampAxiom::kSession:
        lines["session " + txn] = number(facts.other) + skew;
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

/// Sends transactions in some order, with watermarks that are true or not, and now and then takes
/// all memory away or starts again from what was saved.
class Stream {
 public:
  Stream(const TimedHistory& timed, bool serial, std::uint64_t skew, std::uint64_t seed)
      : timed_(timed), serial_(serial), random_(seed) {
    options_ = {.data_model = timed.model,
                .read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart,
                .sessions = true,
                .clock_skew = {skew},
                .page_entries = 1 + random_.below(4)};
    start();
  }

  std::string run() {
    std::vector<std::size_t> order(timed_.txns.size());
    for (std::size_t t = 0; t < order.size(); ++t) {
      order[t] = t;
    }
    for (std::size_t t = order.size(); t > 1; --t) {
      std::swap(order[t - 1], order[random_.below(t)]);
    }
    for (const std::size_t t : order) {
      if (!checker_->add(online_txn(timed_, t)) || checker_->add(online_txn(timed_, t))) {
        return "the set of what was there is wrong";
      }
      disturb();
    }
    checker_->advance(Timestamp::last());
    hear();
    if (told_.all != checker_->ledger().all()) {
      return "events tell something else: " + joined(lines_of(told_.all, serial_));
    }
    return wrong_;
  }

  [[nodiscard]] Lines lines() const { return lines_of(checker_->ledger().all(), serial_); }

  [[nodiscard]] bool has_doubt() const {
    const OnlineCounts& counts = checker_->counts();
    return counts.unplaced + counts.tied + counts.maybe > 0;
  }

  [[nodiscard]] std::uint64_t provisional() const { return checker_->counts().provisional; }

 private:
  void start() { checker_ = std::make_unique<OnlineChecker>(options_, store_); }

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
  Random random_;
  OnlineOptions options_;
  MemoryPageStore store_;
  std::unique_ptr<OnlineChecker> checker_;
  Told told_;
  std::string wrong_;
};

TEST_CASE("online property: in any order the violations are those of the offline check") {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  for_all_timed(1000, [&](const TimedHistory& timed, std::uint64_t seed) -> std::string {
    for (const bool serial : {false, true}) {
      const std::uint64_t skew = seed % 3 == 0 ? seed % 7 : 0;
      Offline offline(timed, serial, static_cast<std::int64_t>(skew));
      unmark_ties(timed, offline.lines);
      Stream stream(timed, serial, skew, seed);
      const std::string wrong = stream.run();
      Lines found = stream.lines();
      unmark_ties(timed, found);
      if (!wrong.empty() || found != offline.lines || stream.has_doubt() != offline.has_doubt ||
          stream.provisional() != 0) {
        return wrong + (serial ? " serial" : " snapshot") + "\nexpected " + joined(offline.lines) +
               (offline.has_doubt ? "doubt" : "") + "\nfound    " + joined(found) +
               (stream.has_doubt() ? "doubt" : "");
      }
      ++(offline.lines.empty() ? valid : invalid);
    }
    return "";
  });
  CHECK(valid > timed_case_count(1000) / 4);
  CHECK(invalid > timed_case_count(1000));
}

/// Everything but where values come from, of which versions may be forgotten, and the types that
/// hang on such.
Lines without_origins(Lines lines) {
  for (auto& [name, facts] : lines) {
    if (name.starts_with("ext")) {
      facts = facts.substr(facts.find(' '));
    }
    if (name.starts_with("ext") || name.starts_with("noconflict")) {
      facts.erase(facts.rfind(' '));
    }
  }
  return lines;
}

/// The answer of a check that forgets whatever is final, for which transactions are sorted.
Lines sorted_lines(const TimedHistory& timed, bool serial) {
  const ReadPoint read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart;
  ForgetfulPageStore store;
  OnlineChecker checker({.data_model = timed.model,
                         .read_point = read_point,
                         .sessions = true,
                         .page_entries = 2,
                         .is_sorted = true},
                        store);
  std::vector<OnlineTxn> txns;
  for (std::size_t t = 0; t < timed.txns.size(); ++t) {
    txns.push_back(online_txn(timed, t));
  }
  std::ranges::stable_sort(txns, {}, [&](const OnlineTxn& txn) {
    const PlacedTxn placed(txn, read_point);
    return placed.has_place() ? placed.reads.time() : Timestamp::first();
  });
  for (const OnlineTxn& txn : txns) {
    checker.add(txn);
    const PlacedTxn placed(txn, read_point);
    if (placed.has_place()) {
      checker.advance(just_before(placed.reads.time()));
      checker.forget();
    }
  }
  checker.advance(Timestamp::last());
  return without_origins(lines_of(checker.ledger().all(), serial));
}

TEST_CASE("online property: what is sorted by time needs no past") {
  for_all_timed(1000, [&](const TimedHistory& timed, std::uint64_t) -> std::string {
    for (const bool serial : {false, true}) {
      const Lines expected = without_origins(Offline(timed, serial).lines);
      const Lines found = sorted_lines(timed, serial);
      if (found != expected) {
        return std::string(serial ? "serial" : "snapshot") + "\nexpected " + joined(expected) +
               "\nfound    " + joined(found);
      }
    }
    return "";
  });
}

}  // namespace
}  // namespace elapid
