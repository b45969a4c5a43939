// Viper's logs with ranges and deletes: what is answered of them is what they say by definition,
// which here is carried out on the logs' own terms, over all orders and all initial states; and it
// stays so in other formats.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

constexpr int kRows = 3;

/// What a row holds; 0: it is not there.
struct HeldCell {
  int value = 0;
  bool is_dead = false;
  friend bool operator==(const HeldCell&, const HeldCell&) = default;
};

using Table = std::array<HeldCell, kRows>;

struct LogOp {
  char kind = 'r';  // as in the log; R for a range
  int row = 0;
  int last_row = 0;  // of a range
  int value = 0;     // written
  Table seen = {};   // of a range; else at [row]
};

struct LogTxn {
  int session = 0;
  std::vector<LogOp> ops;
};

struct SketchedLog {
  Table loaded = {};  // what may have been there at the beginning
  bool records_initial = false;
  std::vector<LogTxn> txns;
};

void write_op(const LogOp& op, Table& table) {
  if (op.kind == 'w' || op.kind == 'i' || op.kind == 'd') {
    table[static_cast<std::size_t>(op.row)] = {op.value, op.kind == 'd'};
  }
}

bool writes_row(const LogTxn& txn, int row) {
  return std::ranges::any_of(txn.ops, [row](const LogOp& op) {
    return op.row == row && op.kind != 'r' && op.kind != 'R';
  });
}

/// Carries a transaction out; false if it finds something else than it did.
bool carry_out(const LogTxn& txn, Table& table) {
  for (const LogOp& op : txn.ops) {
    for (int row = op.row; op.kind != 'w' && row <= (op.kind == 'R' ? op.last_row : op.row);
         ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (table.at(at) != op.seen.at(at)) {
        return false;
      }
    }
    write_op(op, table);
  }
  return true;
}

/// A log as some database may have left it: most transactions see what there is, others what there
/// was, or parts of both, and now and then one sees nothing where something is.
SketchedLog random_log(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(n));
  };
  SketchedLog log;
  for (std::size_t row = 0; row < log.loaded.size(); ++row) {
    if (below(3) > 0) {
      log.loaded.at(row) = {100 + static_cast<int>(row), below(3) == 0};
    }
  }
  log.records_initial = below(2) == 0;
  std::vector<Table> states = {log.loaded};
  int next_value = 1;
  const int txns = 2 + below(3);
  for (int number = 0; number < txns; ++number) {
    LogTxn txn = {.session = below(3), .ops = {}};
    const bool is_stale = below(2) == 0;
    Table view = is_stale ? states[static_cast<std::size_t>(below(static_cast<int>(states.size())))]
                          : states.back();
    Table state = states.back();
    const int ops = 1 + below(3);
    for (int i = 0; i < ops; ++i) {
      LogOp op = {.kind = "rRRwd"[below(5)], .row = below(kRows), .last_row = 0, .value = 0};
      const HeldCell held = view.at(static_cast<std::size_t>(op.row));
      const bool is_there = held.value != 0 && !held.is_dead;
      op.kind = op.kind == 'd' && !is_there ? 'i' : op.kind;
      op.last_row = op.row + below(kRows - op.row);
      op.value = op.kind == 'w' || op.kind == 'i' || op.kind == 'd' ? next_value++ : 0;
      op.seen = view;
      if (op.kind == 'R' && below(5) == 0) {
        op.seen.at(static_cast<std::size_t>(op.row)) = {};
      }
      write_op(op, view);
      write_op(op, state);
      txn.ops.push_back(op);
    }
    states.push_back(state);
    log.txns.push_back(std::move(txn));
  }
  return log;
}

std::string shown_rows(const LogOp& op, bool are_dead) {
  std::string text = "[";
  for (int row = op.row; row <= op.last_row; ++row) {
    const HeldCell& cell = op.seen.at(static_cast<std::size_t>(row));
    if (cell.value != 0 && cell.is_dead == are_dead) {
      text += (text.size() == 1 ? "{\"id\": " : ", {\"id\": ") + std::to_string(row) +
              ", \"val\": " + std::to_string(cell.value) + '}';
    }
  }
  return text + ']';
}

std::string op_text(const LogOp& op) {
  const HeldCell& cell = op.seen.at(static_cast<std::size_t>(op.row));
  const std::string row = std::to_string(op.row);
  const std::string seen = std::to_string(cell.value) + (cell.is_dead ? ", true" : ", false");
  const std::string written = std::to_string(op.value);
  switch (op.kind) {
    case 'R': {
      const bool is_whole = op.row == 0 && op.last_row == kRows - 1;
      return (is_whole ? R"(["range", "nil", "nil", )"
                       : "[\"range\", " + row + ", " + std::to_string(op.last_row) + ", ") +
             shown_rows(op, false) + ", " + shown_rows(op, true) + ']';
    }
    case 'r':
      return "[\"r\", " + row + ", " + seen + ']';
    case 'w':
      return "[\"w\", " + row + ", " + written + ", true]";
    default:
      return std::string("[\"") + op.kind + "\", " + row + ", " + written + ", " + seen + ", true]";
  }
}

void write_log(const SketchedLog& log, const TemporaryFolder& folder) {
  std::map<int, std::string> files;
  for (const LogTxn& txn : log.txns) {
    std::string& file = files[txn.session];
    file += "{\"value\": [";
    for (std::size_t i = 0; i < txn.ops.size(); ++i) {
      file += (i == 0 ? "" : ", ") + op_text(txn.ops[i]);
    }
    file += "]}\n";
  }
  if (log.records_initial) {
    const LogOp all = {
        .kind = 'R', .row = 0, .last_row = kRows - 1, .value = 0, .seen = log.loaded};
    files[9] = "{\"value\": [" + op_text(all) + "], \"isInitial\": true}\n";
  }
  for (const auto& [session, text] : files) {
    folder.write("log/J" + std::to_string(session) + ".log", text);
  }
}

std::string text_of(const SketchedLog& log) {
  std::string text = log.records_initial ? "loaded, recorded:" : "perhaps loaded:";
  for (const HeldCell& cell : log.loaded) {
    text += ' ' + std::to_string(cell.value) + (cell.is_dead ? "x" : "");
  }
  for (const LogTxn& txn : log.txns) {
    text += "\nsession " + std::to_string(txn.session) + ':';
    for (const LogOp& op : txn.ops) {
      text += ' ' + op_text(op);
    }
  }
  return text + '\n';
}

/// Whether the log satisfies serializability or snapshot isolation, from one initial state.
class ByDefinition {
 public:
  ByDefinition(const SketchedLog& log, bool is_snapshot, bool keeps_sessions)
      : log_(log), is_snapshot_(is_snapshot), keeps_sessions_(keeps_sessions) {}

  bool holds(const Table& initial) {
    running_.assign(log_.txns.size(), std::nullopt);
    is_done_.assign(log_.txns.size(), false);
    done_ = 0;
    return go_on(initial);
  }

 private:
  /// A client starts or ends.
  bool go_on(const Table& committed) {
    if (done_ == log_.txns.size()) {
      return true;
    }
    for (std::size_t txn = 0; txn < log_.txns.size(); ++txn) {
      if (is_done_[txn]) {
        continue;
      }
      if (running_[txn] ? may_commit_and_go_on(txn, committed) : start_and_go_on(txn, committed)) {
        return true;
      }
    }
    return false;
  }

  /// Transactions of a serial execution start when no other runs.
  bool start_and_go_on(std::size_t txn, const Table& committed) {
    for (std::size_t before = 0; before < txn; ++before) {
      if (keeps_sessions_ && log_.txns[before].session == log_.txns[txn].session &&
          !is_done_[before]) {
        return false;
      }
    }
    const bool others_run =
        std::ranges::any_of(running_, [](const auto& running) { return running.has_value(); });
    Table own = committed;
    if ((!is_snapshot_ && others_run) || !carry_out(log_.txns[txn], own)) {
      return false;
    }
    running_[txn] = committed;
    const bool found = go_on(committed);
    running_[txn].reset();
    return found;
  }

  /// Of two that overlap no two write the same row: what the transaction writes is what it was when
  /// it started, and no value is written twice.
  bool may_commit_and_go_on(std::size_t txn, Table committed) {
    const Table started = *running_[txn];
    for (int row = 0; row < kRows; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (writes_row(log_.txns[txn], row) && started.at(at) != committed.at(at)) {
        return false;
      }
    }
    for (const LogOp& op : log_.txns[txn].ops) {
      write_op(op, committed);
    }
    running_[txn].reset();
    is_done_[txn] = true;
    ++done_;
    const bool found = go_on(committed);
    --done_;
    is_done_[txn] = false;
    running_[txn] = started;
    return found;
  }

  const SketchedLog& log_;
  bool is_snapshot_;
  bool keeps_sessions_;
  std::vector<std::optional<Table>> running_;  // what was there when they started
  std::vector<bool> is_done_;
  std::size_t done_ = 0;
};

/// Rows that may have been loaded were, or were not.
bool holds_by_definition(const SketchedLog& log, bool is_snapshot, bool keeps_sessions) {
  ByDefinition definition(log, is_snapshot, keeps_sessions);
  if (log.records_initial) {
    return definition.holds(log.loaded);
  }
  for (unsigned absent = 0; absent < 1U << kRows; ++absent) {
    Table initial = log.loaded;
    for (std::size_t row = 0; row < initial.size(); ++row) {
      initial.at(row) = (absent >> row & 1U) != 0 ? HeldCell() : initial.at(row);
    }
    if (definition.holds(initial)) {
      return true;
    }
  }
  return false;
}

struct LogLevel {
  Model model;
  bool is_snapshot;
  bool keeps_sessions;
};

constexpr std::array kLogLevels = {
    LogLevel{Model::kPl3, false, false},
    LogLevel{Model::kStrongSessionSerializable, false, true},
    LogLevel{Model::kPlSi, true, false},
    LogLevel{Model::kStrongSessionSnapshotIsolation, true, true},
};

Validity answer(const History& history, Model model) {
  const Result<Verdict> verdict = check(history, {.models = ModelSet{model}});
  REQUIRE(verdict);
  return verdict.value().validity;
}

TEST_CASE("viper property: ranges and tombstones mean what they say") {
  const std::uint64_t first = 70'000'000'000 + first_seed_of_cases();
  const std::uint64_t cases = case_count(1500);
  std::size_t valid = 0;
  std::size_t of_rows = 0;
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const SketchedLog log = random_log(seed);
    const TemporaryFolder folder;
    write_log(log, folder);
    const auto loaded = read_history(folder / "log", {.workload = Workload::kRows});
    REQUIRE(loaded);
    ++of_rows;
    for (const LogLevel& level : kLogLevels) {
      const bool is_valid = holds_by_definition(log, level.is_snapshot, level.keeps_sessions);
      valid += is_valid ? 1U : 0U;
      if (answer(loaded.value().history(), level.model) !=
          (is_valid ? Validity::kValid : Validity::kInvalid)) {
        ++failures;
        FAIL_CHECK("seed " << seed << ", level " << static_cast<int>(level.model) << ": expected "
                           << (is_valid ? "valid" : "invalid") << '\n'
                           << text_of(log));
      }
    }
  }
  CHECK(valid > cases);
  CHECK(valid < 3 * cases);
}

TEST_CASE("viper property: logs keep their verdicts in formats that hold rows, and back") {
  const std::uint64_t first = 71'000'000'000 + first_seed_of_cases();
  const std::uint64_t cases = case_count(300);
  const Target* back = nullptr;  // Viper's
  std::vector<const Target*> formats;
  for (const Target& target : targets()) {
    if (target.rows) {
      formats.push_back(&target);
      back = target.rows_are_values ? &target : back;
    }
  }
  REQUIRE(back != nullptr);
  std::vector<std::size_t> compared(formats.size(), 0);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const SketchedLog log = random_log(seed);
    const TemporaryFolder folder;
    write_log(log, folder);
    auto loaded = read_history(folder / "log", {.workload = Workload::kRows});
    REQUIRE(loaded);
    const std::size_t choice = seed % formats.size();
    if (formats[choice] == back) {
      continue;
    }
    for (const Target* target : {formats[choice], back}) {
      const std::string out = folder / (target == back ? "back" : "between");
      const auto report = write_history(loaded.value().history(), Workload::kRows, out,
                                        {.target = target, .policy = LossPolicy::kHarmless});
      if (!report) {
        INFO(text(*target) << ' ' << report.error().message << '\n' << text_of(log));
        CHECK(report.error().kind == ErrorKind::kUsage);
        CHECK(!formats[choice]->keeps_extras);  // Vbox's logs have columns and versions
        break;
      }
      auto next =
          read_history(out, {.format = FormatName{target->format, std::string(target->dialect)},
                             .workload = Workload::kRows});
      REQUIRE(next);
      for (const LogLevel& level : kLogLevels) {
        INFO(text(*target) << " seed " << seed << '\n' << text_of(log));
        CHECK(answer(next.value().history(), level.model) ==
              answer(loaded.value().history(), level.model));
      }
      loaded = std::move(next);
      compared[choice] += target == back ? 1U : 0U;
    }
  }
  for (std::size_t i = 0; i < formats.size(); ++i) {
    INFO(text(*formats[i]));
    const bool comes_back = formats[i] != back && formats[i]->keeps_extras;
    CHECK((compared[i] > cases / (2 * formats.size())) == comes_back);
  }
}

}  // namespace
}  // namespace elapid
