// Whatever an input holds, it reads the same in pieces and as a whole, by the short cut and by
// tokens: the same history, ids included, or the same error at the same place.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "harness/generate/random.h"
#include "parsers/elle_json/json_op_stream.h"
#include "parsers/jepsen/op_history.h"
#include "parsers/jepsen/op_stream.h"
#include "tests/support/sample_history.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

/// OpStream without its short cut.
class SlowOpStream : public OpStream {
 public:
  template <class... From>
  explicit SlowOpStream(From&&... from) : OpStream(std::forward<From>(from)...) {
    take_no_short_cut();
  }
};

/// All that readers decide.
std::string told(const Result<History>& read) {
  if (!read) {
    return read.error().to_string();
  }
  const History& history = read.value();
  std::string out = summary(history) + '\n';
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      const Event event = history.event(txn, kind);
      out += std::to_string(event.id.value) + ' ' + std::to_string(event.index) + ' ' +
             std::to_string(event.time.value_or(-1)) + ' ' + std::to_string(event.position.offset) +
             ' ';
    }
    for (const Op op : history.ops(txn)) {
      out += std::to_string(op.key().value) + ' ' + std::to_string(op.list().bits()) + ' ';
    }
  }
  for (const Remark& remark : history.info().remarks) {
    out += '\n' + std::to_string(remark.position.offset) + ' ' + remark.message;
  }
  return out + '\n' + std::to_string(history.values().size()) + ' ' +
         std::to_string(history.info().event_count) + ' ' +
         std::to_string(history.info().source_bytes) + ' ' + history.text(history.info().f);
}

template <class Stream>
std::string told_by(const std::string& text, Workload workload, std::size_t threads,
                    std::size_t piece_bytes, bool salvage) {
  const auto source = memory_source("h", text);
  ReadOptions options;
  options.threads = threads;
  options.salvage = salvage;
  return told(
      read_operations<Stream>(*source, options, workload, {.workload = workload}, piece_bytes));
}

constexpr std::array<std::string_view, 26> kOpOddities = {
    "\n",
    "\n\n",
    "[",
    "]",
    "{",
    "}",
    "#_",
    "#_ ",
    ";c\n",
    "\"",
    "^:a ",
    "#t ",
    ":r",
    "nil",
    "07",
    "-1",
    "\xc3\xa4",
    "\0x",
    ", ",
    ":x",
    "1234567890123456789 ",
    "[:r 1 2]",
    "\\a",
    "{:type :ok}\n",
    "{:index 3, :type :info, :f :kill, :process :nemesis}\n",
    ":error [:a 1], "};

std::string mutated(std::string text, Random& random, std::size_t changes) {
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0:
        text.erase(at, 1 + random.below(3));
        break;
      case 1:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 2: {
        const std::size_t line = text.find('\n', at);
        text.insert(line == std::string::npos ? at : line,
                    kOpOddities[random.below(kOpOddities.size())]);
        break;
      }
      default:
        text.insert(at, kOpOddities[random.below(kOpOddities.size())]);
    }
  }
  return text;
}

/// Values of all kinds in the places of some numbers, the same in all events.
std::string with_names(std::string text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(" 7 ", at)) != std::string::npos; at += name.size()) {
    text.replace(at + 1, 1, name);
  }
  return text;
}

std::string json_of(std::string text) {
  const auto replace = [&text](std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  };
  for (const std::string_view name : {"index", "time", "type", "process", "f", "value"}) {
    replace(":" + std::string(name) + ' ', "\"" + std::string(name) + "\":_");
  }
  for (const std::string_view name : {"invoke", "ok", "fail", "info", "txn", "append", "r", "w"}) {
    replace(":" + std::string(name), "\"" + std::string(name) + "\"");
  }
  replace(", ", ",_");
  replace(" ", ",");
  replace("_", " ");
  replace("nil", "null");
  return text;
}

template <class Stream>
void compare(const std::string& text, Workload workload, const std::string& expected,
             bool salvage) {
  for (const auto& [threads, bytes] : {std::pair(2, 150), std::pair(3, 400), std::pair(8, 1000)}) {
    INFO(threads << " threads, pieces of " << bytes << " bytes of\n" << text);
    REQUIRE(told_by<Stream>(text, workload, static_cast<std::size_t>(threads),
                            static_cast<std::size_t>(bytes), salvage) == expected);
  }
}

TEST_CASE("property: pieces and short cuts read what is there, or find the same error") {
  std::size_t good = 0;
  for (const Workload workload :
       {Workload(Workload::kListAppend), Workload(Workload::kRwRegister)}) {
    const std::string sample = sample_history(workload, 60);
    for (std::uint64_t seed = 1; seed <= case_count(1000); ++seed) {
      Random random(seed);
      constexpr std::array<std::string_view, 5> kNames = {"7", ":key", "12345678901", "\"a b\"",
                                                          "[1]"};
      std::string text = with_names(sample, kNames[random.below(kNames.size())]);
      text = mutated(std::move(text), random, seed % 4);
      const bool salvage = random.percent(30);
      const std::string expected = told_by<SlowOpStream>(text, workload, 1, 1000, salvage);
      INFO("seed " << seed);
      REQUIRE(told_by<OpStream>(text, workload, 1, 1000, salvage) == expected);
      compare<OpStream>(text, workload, expected, salvage);
      good += expected.find("expected") == std::string::npos ? 1U : 0U;
    }
  }
  CHECK(good > 20);
}

/// Single operations of all kinds of values, most of them as checkers know them.
std::string single_operations(Random& random, std::size_t count) {
  constexpr std::array<std::string_view, 6> kFunctions = {"add",     "read",     "remove",
                                                          "enqueue", "contains", "dequeue"};
  constexpr std::array<std::string_view, 24> kValues = {"7",
                                                        "7",
                                                        "12",
                                                        "nil",
                                                        "[7 nil]",
                                                        "[7 true]",
                                                        "[]",
                                                        "[1 2 :x]",
                                                        ":empty",
                                                        "-4",
                                                        "[7 [1]]",
                                                        "{:a 1}",
                                                        "1.50",
                                                        "\"a b\"",
                                                        "[nilly]",
                                                        "[1  2]",
                                                        "{1 [[2 3]], 2 [[4 5] [6 7]]}",
                                                        "{2 1, 1 2}",
                                                        "{1 2 3 4}",
                                                        "[[:poll {}] [:send 1 [2 3]]]",
                                                        "{1 2, 1 3}",
                                                        "[[[[[[[1]]]]]]]",
                                                        "{1 }",
                                                        "{[1] 2}"};
  constexpr std::array<std::string_view, 3> kTypes = {"ok", "ok", "info"};
  constexpr std::array<std::string_view, 7> kExtras = {"}\n",
                                                       ", :key :x}\n",
                                                       ", :final? true}\n",
                                                       ", :error [:a]}\n",
                                                       ", :key 1, :key 2}\n",
                                                       ", :key 1, :final? true}\n",
                                                       ", :key\n 3}\n"};
  std::string text;
  std::array<std::string_view, 3> open = {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t process = random.below(open.size());
    const bool is_invocation = open[process].empty();
    open[process] = is_invocation ? kFunctions[random.below(kFunctions.size())] : open[process];
    text += "{:index " + std::to_string(i) + ", :time " + std::to_string(10 * i) + ", :type :";
    text += is_invocation ? "invoke" : kTypes[random.below(kTypes.size())];
    text += ", :process " + std::to_string(process) + ", :f :";
    text += open[process];
    text += ", :value ";
    text += kValues[random.below(random.percent(20) ? kValues.size() : 4)];
    text += kExtras[random.below(random.percent(20) ? kExtras.size() : 2)];
    open[process] = is_invocation ? open[process] : "";
  }
  return text;
}

TEST_CASE("property: pieces and short cuts of single operations") {
  std::size_t good = 0;
  for (const std::string_view name : {"counter", "unordered-queue", "add-remove-set", "set",
                                      "grow-only-set", "queue", "kv", "kafka", "bank", "other"}) {
    const Workload workload = find_workload(name).value_or(Workload::kOther);
    for (std::uint64_t seed = 1; seed <= case_count(500); ++seed) {
      Random random(seed);
      const std::string text = mutated(single_operations(random, 40), random, seed % 3);
      const bool salvage = random.percent(30);
      const std::string expected = told_by<SlowOpStream>(text, workload, 1, 1000, salvage);
      INFO(name << ", seed " << seed);
      REQUIRE(told_by<OpStream>(text, workload, 1, 1000, salvage) == expected);
      compare<OpStream>(text, workload, expected, salvage);
      good += expected.find("expected") == std::string::npos ? 1U : 0U;
    }
  }
  CHECK(good > 5);
}

TEST_CASE("property: pieces of JSON lines") {
  const Workload workload = Workload::kListAppend;
  const std::string sample = json_of(sample_history(workload, 60));
  REQUIRE(told_by<JsonOpStream>(sample, workload, 1, 1000, false).find("expected") ==
          std::string::npos);
  for (std::uint64_t seed = 1; seed <= case_count(300); ++seed) {
    Random random(seed);
    const std::string text = mutated(sample, random, seed % 3);
    INFO("seed " << seed);
    compare<JsonOpStream>(text, workload, told_by<JsonOpStream>(text, workload, 1, 1000, false),
                          false);
  }
}

}  // namespace
}  // namespace elapid
