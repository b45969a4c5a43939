// Small random histories with timestamps against the axioms read word for word.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/share_work.h"
#include "engine/solve/solve.h"
#include "engine/timestamps/check_timestamps.h"
#include "tests/property/naive_timestamps.h"
#include "tests/property/random_timed.h"
#include "tests/support/sample_size.h"
#include "tests/support/timed_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

/// The place of each transaction of the history among those it was made from.
std::vector<std::size_t> places(const TimedHistory& timed, const History& history) {
  std::vector<std::size_t> places(history.txn_count());
  std::vector<std::size_t> next(history.session_count());
  for (std::size_t t = 0; t < timed.txns.size(); ++t) {
    for (std::uint32_t s = 0; s < history.session_count(); ++s) {
      if (history.session_name({s}) == timed.txns[t].session) {
        places[history.session_txns({s})[next[s]++].index()] = t;
      }
    }
  }
  return places;
}

/// Violations as NaiveTimestamps has them.
std::set<std::string> lines(const TimedHistory& timed, const History& history,
                            const TimestampFindings& found) {
  const std::vector<std::size_t> place = places(timed, history);
  constexpr std::array<const char*, 7> kOriginWords = {
      " before", " uncommitted", " after", " intermediate", " aborted", " own-future", " nowhere"};
  std::set<std::string> lines;
  const auto add = [&](std::string line) {
    INFO(line);
    CHECK(lines.insert(std::move(line)).second);  // each once
  };
  for (const TimestampEvidence& violation : found.violations) {
    const std::size_t txn = place[violation.txn.index()];
    const std::size_t other = violation.other.is_none() ? txn : place[violation.other.index()];
    const std::string read = std::to_string(txn) + " " + std::to_string(violation.mop);
    const std::string pair =
        std::to_string(std::min(txn, other)) + " " + std::to_string(std::max(txn, other));
    switch (violation.axiom) {
      case TimestampAxiom::kInt:
        add("int " + read);
        break;
      case TimestampAxiom::kExt:
        add("ext " + read +
            (timed.model == Workload::kRwRegister
                 ? kOriginWords.at(static_cast<std::size_t>(violation.origin))
                 : ""));
        break;
      case TimestampAxiom::kNoConflict:
        add("noconflict " + pair + " " +
            static_cast<char>(history.key_value(violation.key).as_integer()));
        break;
      case TimestampAxiom::kSession:
        add("session " + pair);
        break;
      case TimestampAxiom::kRealTime:
        add("real-time " + std::to_string(txn));
        break;
      case TimestampAxiom::kStartFirst:
        add("start-after-commit " + std::to_string(txn));
        break;
    }
  }
  return lines;
}

TimestampFindings findings(const History& history, bool serial, std::size_t threads = 1,
                           std::int64_t skew = 0) {
  const WorkThreads here(threads, 1);
  return check_timestamps(history, {.read_point = serial ? ReadPoint::kCommit : ReadPoint::kStart,
                                    .sessions = true,
                                    .real_time = history.info().has_real_time,
                                    .clock_skew = skew});
}

/// What of a verdict must not depend on names and threads.
std::string summary(const TimedHistory& timed, const History& history,
                    const TimestampFindings& found) {
  std::string text = found.doubt ? "doubt" : "";
  for (const std::string& line : lines(timed, history, found)) {
    text += "; " + line;
  }
  return text;
}

constexpr std::uint64_t kDefaultCases = 2000;

void for_all_timed(const TimedProperty& property) {
  elapid::for_all_timed(kDefaultCases, property);
}

std::string joined(const std::set<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "; ";
  }
  return text;
}

TEST_CASE("timestamps property: the violations are those of the axioms read word for word") {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  for_all_timed([&](const TimedHistory& timed, std::uint64_t) -> std::string {
    const History history = build(timed);
    for (const bool serial : {false, true}) {
      const NaiveTimestamps naive(timed, serial);
      const auto expected = naive.violations(timed.model == Workload::kRwRegister);
      const TimestampFindings found = findings(history, serial);
      const auto actual = lines(timed, history, found);
      if (actual != expected || found.doubt.has_value() != naive.has_doubt()) {
        return std::string(serial ? "serial" : "snapshot") + "\nexpected " + joined(expected) +
               (naive.has_doubt() ? "doubt" : "") + "\nfound    " + joined(actual) +
               found.doubt.value_or("");
      }
      ++(actual.empty() ? valid : invalid);
    }
    return "";
  });
  CHECK(valid > case_count(kDefaultCases) / 2);
  CHECK(invalid > case_count(kDefaultCases));
}

/// The levels whose answer rests on timestamps alone.
constexpr std::array kModels = {
    Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation,
    Model::kPl3,  Model::kStrongSessionSerializable,      Model::kPlSs};

TEST_CASE("timestamps property: what is valid by timestamps is valid, and evidence is certified") {
  std::size_t valid = 0;
  for_all_timed([&](const TimedHistory& timed, std::uint64_t) -> std::string {
    const History history = build(timed);
    if (!has_timestamps(history)) {
      return "";
    }
    for (const Model model : kModels) {
      CheckOptions options = {.engine = Engine::kTimestamps};
      options.models.set(model);
      const Result<Verdict> verdict = check(history, options);
      if (!verdict) {
        return std::string(friendly_name(model)) + ": " + verdict.error().message;
      }
      if (verdict.value().validity != Validity::kValid) {
        continue;
      }
      ++valid;
      const SolveResult solved = solve(history, {.level = *order_level(model)});
      if (solved.validity == Validity::kInvalid) {
        return std::string(friendly_name(model)) + ": not valid at all";
      }
    }
    return "";
  });
  CHECK(valid > case_count(kDefaultCases) / 4);
}

/// Keys get other names, sessions other numbers, and times grow apart, the order among them kept.
TimedHistory renamed(TimedHistory history) {
  const auto later = [](std::optional<std::int64_t>& time) {
    if (time) {
      time = *time * *time * 1000 - 5'000'000;
    }
  };
  for (TimedTxn& txn : history.txns) {
    txn.session = 900 - 7 * txn.session;
    later(txn.start);
    later(txn.commit);
    for (TinyMop& mop : txn.mops) {
      mop.key = static_cast<char>('x' + 'z' - mop.key);
    }
  }
  return history;
}

TEST_CASE("timestamps property: names, scales and threads do not matter") {
  std::size_t histories = 0;
  for_all_timed([&](const TimedHistory& timed, std::uint64_t) -> std::string {
    const bool is_threaded = histories++ % 32 == 0;  // to start threads takes longer than the rest
    const History history = build(timed);
    const TimedHistory other = renamed(timed);
    const History other_history = build(other);
    for (const bool serial : {false, true}) {
      const std::string once = summary(timed, history, findings(history, serial));
      std::string again = summary(other, other_history, findings(other_history, serial));
      for (const std::size_t threads : {2U, 8U}) {
        if (is_threaded && summary(timed, history, findings(history, serial, threads)) != once) {
          return "threads matter";
        }
      }
      // The middle key has kept its name.
      const auto count = [](const std::string& text) { return std::ranges::count(text, ';'); };
      if (count(again) != count(once) || again.starts_with("doubt") != once.starts_with("doubt")) {
        return "names matter: " + once + " and " + again;
      }
    }
    return "";
  });
}

TEST_CASE("timestamps property: clocks that may be wrong by a little explain less than by more") {
  for_all_timed([&](const TimedHistory& timed, std::uint64_t) -> std::string {
    const History history = build(timed);
    for (const bool serial : {false, true}) {
      const auto marked = [&](std::int64_t skew) {
        std::vector<bool> marks;
        for (const TimestampEvidence& violation : findings(history, serial, 1, skew).violations) {
          marks.push_back(violation.within_clock_skew);
        }
        return marks;
      };
      std::vector<bool> before(findings(history, serial).violations.size());
      for (const std::int64_t skew : {1, 2, 5, 100}) {
        const std::vector<bool> now = marked(skew);
        for (std::size_t i = 0; i < now.size(); ++i) {
          if (before[i] && !now[i]) {
            return "a larger bound explains less";
          }
        }
        before = now;
      }
    }
    return "";
  });
}

}  // namespace
}  // namespace elapid
