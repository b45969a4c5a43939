// history -> format -> history, for every format that can be written.
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "harness/sketch/tiny_history.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

/// Prints a history session by session. Keys are named by numbers in the order in which they come,
/// and values by numbers of their key; reads of the initial state are `_`, and an initial
/// transaction, which is that state, is left out.
class NormalForm {
 public:
  explicit NormalForm(const History& history) : history_(history) {
    for (const Op op : history.all_ops()) {
      if (op.is_write()) {
        written_.emplace(op.key(), op.value());
      }
    }
    const TxnId initial = history.info().initial_txn;
    for (const Op op : initial.is_none() ? std::span<const Op>() : history.ops(initial)) {
      initial_.emplace(op.key(), op.value());
    }
  }

  [[nodiscard]] std::string text() {
    std::string out;
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      std::string line;
      for (const TxnId txn : history_.session_txns(session)) {
        line += txn == history_.info().initial_txn ? "" : text_of(txn);
      }
      out += line.empty() ? "" : line + '\n';
    }
    return out;
  }

 private:
  std::string text_of(TxnId txn) {
    constexpr std::array<const char*, 3> kStatus = {"+", "-", "?"};
    std::string out = kStatus.at(static_cast<std::size_t>(history_.status(txn)));
    for (const Op op : history_.ops(txn)) {
      const std::size_t key = keys_.try_emplace(op.key(), keys_.size()).first->second;
      out += std::string(op.is_read()                  ? " r"
                         : op.kind() == OpKind::kWrite ? " w"
                                                       : " a") +
             std::to_string(key) + '=';
      if (op.kind() == OpKind::kReadList) {
        for (const ValueId element : history_.elements(op)) {
          out += value(op.key(), element) + ',';
        }
      } else {
        out += is_initial(op) ? "_" : value(op.key(), op.value());
      }
    }
    return out + ';';
  }

  bool is_initial(Op op) const {
    if (op.kind() != OpKind::kRead) {
      return false;
    }
    const ValueId initial = history_.info().initial;
    const bool is_unwritten =
        !initial.is_none() && op.value() == initial && !written_.contains({op.key(), initial});
    return op.value().is_nil() || is_unwritten || initial_.contains({op.key(), op.value()});
  }

  std::string value(KeyId key, ValueId value) {
    auto& values = values_[key];
    return std::to_string(values.try_emplace(value, values.size()).first->second);
  }

  const History& history_;
  std::set<std::pair<KeyId, ValueId>> written_;
  std::set<std::pair<KeyId, ValueId>> initial_;
  std::map<KeyId, std::size_t> keys_;
  std::map<KeyId, std::map<ValueId, std::size_t>> values_;
};

std::string normal_form(const History& history) {
  return NormalForm(history).text();
}

namespace fs = std::filesystem;

/// Everything in an output, be it file or directory.
std::string contents(const fs::path& output) {
  if (!fs::is_directory(output)) {
    return content_of(output);
  }
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(output)) {
    files[entry.path().filename().string()] = content_of(entry.path());
  }
  std::string all;
  for (const auto& [name, text] : files) {
    all += name + ":\n" + text + '\n';
  }
  return all;
}

Result<LoadedHistory> read_back(const std::string& path, const Target& target, Workload workload) {
  ReadOptions options = {.format = FormatName{target.format, std::string(target.dialect)}};
  if (target.lists) {
    options.workload = workload;
  }
  return read_history(path, options);
}

/// Whether what a history holds is all written: nothing is lost but names and times.
bool keeps_operations(const std::vector<Loss>& losses) {
  return std::ranges::none_of(losses, [](const Loss& loss) {
    return loss.changes_verdict || loss.letter == 'A' || loss.letter == 'S' ||
           loss.what.starts_with("reads of what") || loss.what.starts_with("reads without") ||
           loss.what.starts_with("transactions without operations");
  });
}

bool excuses_reads(const std::vector<Loss>& losses) {
  return letters(losses).find('W') != std::string::npos;
}

/// Writes, reads, compares, and writes again.
void check_round_trip(const History& history, Workload workload, const Target& target) {
  const TemporaryFolder folder;
  INFO(text(target));
  const WriteOptions options = {.target = &target, .policy = LossPolicy::kAny};
  const auto report = write_history(history, workload, folder / "first", options);
  if (!report) {
    CHECK(report.error().kind == ErrorKind::kUsage);
    return;
  }
  const auto again = read_back(folder / "first", target, workload);
  INFO((again ? "" : again.error().to_string()) << '\n' << contents(folder / "first"));
  REQUIRE(again);
  if (keeps_operations(report.value().losses)) {
    CHECK(normal_form(again.value().history()) == normal_form(history));
  }
  const bool moves_aborted =
      target.aborted_ids && letters(report.value().losses).find('A') != std::string::npos;
  const bool renumbers = target.plan_rows != nullptr;
  if (excuses_reads(report.value().losses) || moves_aborted || renumbers) {
    return;  // what was excused, or is an operation by itself, is written as that the second time
  }
  const auto second = write_history(again.value().history(), again.value().history().workload(),
                                    folder / "second", options);
  INFO((second ? "" : second.error().to_string()));
  REQUIRE(second);
  CHECK(contents(folder / "second") == contents(folder / "first"));
}

void check_round_trips(const History& history, Workload workload) {
  for (const Target& target : targets()) {
    check_round_trip(history, workload, target);
  }
}

TEST_CASE("registers survive every format that can hold them") {
  for (const char* text : {
           "0+ wx1 ry_; 1+ rx1 wy2; 0+ ry2 wx3; 2+ rx3 rx3",
           "0+ wx0 rx0; 1+ ry_ rx0",
           "0+ wx1; 1+ wx2; 0- wx3; 2+ ry_ wy4 ry4; 2- ry4 wy5; 3+ rx3",
           "0+ wx1; 1? wx2; 2? wy3; 3+ rx2 ry_",
           "0+ wx1; 0+ rx1; 1+ wx1; 2+ rx1 wx2",
           "0+ wx1 wx2; 1+ rx1; 2+ rx7 ry_",
           "0+ wx1 wy1; 1+ wz1; 0+ rx1 ry1 rz1",
           "0+ wx1; 1+ rx1 wx2; 2- rx_ wx3; 0? wx4; 1+ rx4; 2- rx_; 3+ rx4 wx1",
       }) {
    INFO(text);
    check_round_trips(register_history(text), Workload::kRwRegister);
  }
}

TEST_CASE("lists survive every format that can hold them") {
  for (const char* text : {
           "0+ ax1 ry; 1+ rx1 ay2; 0+ ry2 ax3; 2+ rx13",
           "0+ ax0; 1- ax2; 2+ rx0; 2+ rx",
           "0+ ax1; 1? ax2; 2? ay3; 3+ rx12",
           "0+ ax1; 1+ ax2; 2+ rx12; 3+ rx21",
       }) {
    INFO(text);
    check_round_trips(list_history(text), Workload::kListAppend);
  }
}

TEST_CASE("Jepsen's histories keep indices, times and further fields in EDN and JSON") {
  const std::string edn =
      "{:index 4, :time 10, :type :invoke, :process 3, :f :txn, :value [[:append 1 2] [:r 5 "
      "nil]]}\n"
      "{:index 5, :time 11, :type :invoke, :process 4, :f :txn, :value [[:append 1 3]]}\n"
      "{:index 7, :time 12, :type :ok, :process 3, :f :txn, :value [[:append 1 2] [:r 5 [6 7]]], "
      ":node \"n1\"}\n"
      "{:index 9, :time 13, :type :info, :process 4, :f :txn, :value [[:append 1 3]], :error "
      "[\"timeout\" {\"after\" 1.5}]}\n";
  const auto loaded = read_history(memory_source("h", edn), {});
  REQUIRE(loaded);
  LoadedHistory source = read_history(memory_source("h", edn), {}).value();
  const TemporaryFolder folder;
  const auto write = [&](const char* format) {
    const auto report = write_history(
        source.history(), source.history().workload(), folder / format,
        {.target = &target(format),
         .policy = LossPolicy::kNone,
         .details = [&](SourcePosition position) { return source.details(position); }});
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
  };
  write("edn");
  CHECK(content_of(folder / "edn") == edn);
  write("json");
  CHECK(
      content_of(folder / "json") ==
      R"([{"index": 4, "time": 10, "type": "invoke", "process": 3, "f": "txn", "value": [["append", 1, 2], ["r", 5, null]]},
 {"index": 5, "time": 11, "type": "invoke", "process": 4, "f": "txn", "value": [["append", 1, 3]]},
 {"index": 7, "time": 12, "type": "ok", "process": 3, "f": "txn", "value": [["append", 1, 2], ["r", 5, [6, 7]]], "node": "n1"},
 {"index": 9, "time": 13, "type": "info", "process": 4, "f": "txn", "value": [["append", 1, 3]], "error": ["timeout", {"after": 1.5}]}]
)");
}

}  // namespace
}  // namespace elapid
