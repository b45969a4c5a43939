#include "adapter/watch/stream_check.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/support/memory_page_store.h"

namespace elapid {
namespace {

const std::string kReadsNothing =
    R"({"tid":1,"sid":1,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[{"t":"r","k":1,"v":null}]})";
const std::string kWrites =
    R"({"tid":2,"sid":1,"sts":{"p":3,"l":0},"cts":{"p":4,"l":0},"ops":[{"t":"w","k":1,"v":5}]})";
const std::string kAppends =
    R"({"tid":3,"sid":1,"sts":{"p":5,"l":0},"cts":{"p":6,"l":0},"ops":[{"t":"a","k":1,"v":5}]})";
const std::string kReadsZero =
    R"({"tid":4,"sid":2,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[{"t":"r","k":1,"v":0}]})";
const std::string kHeader = R"({"format":"elapid/1","workload":"rw-register","initial":0})";

class Lines {
 public:
  explicit Lines(WatchOptions options = {})
      : options_(std::move(options)), check_(options_, store_), parser_(check_.intake(), {}, {}) {
    options_.state = "state";  // so that there is a journal
  }

  /// What is wrong with the line; empty if nothing.
  std::string take(const std::string& line) {
    ParsedLine parsed;
    parsed.line = line;
    parser_.parse(parsed);
    check_.note(check_.atoms().extent());
    const Status status = check_.take(parsed);
    return status.ok() ? "" : status.error().message;
  }

  StreamCheck& check() { return check_; }

  [[nodiscard]] std::uint64_t provisional() { return check_.checker()->counts().provisional; }

  void restore(const std::string& saved, MemoryPageStore& store) {
    store_ = store;
    check_.restore(saved);
  }

  MemoryPageStore& store() { return store_; }

 private:
  WatchOptions options_;
  MemoryPageStore store_;
  StreamCheck check_;
  LineParser parser_;
};

TEST_CASE("stream check: lines are held until one shows what the stream is about") {
  Lines lines;
  CHECK(lines.take(kReadsNothing).empty());
  CHECK(lines.take("").empty());
  CHECK(lines.check().checker() == nullptr);
  CHECK(lines.check().take_journal().empty());
  CHECK(lines.take(kAppends).empty());
  REQUIRE(lines.check().checker() != nullptr);
  CHECK(lines.check().checker()->counts().accepted == 2);
  CHECK(lines.check().take_journal() == kReadsNothing + "\n" + kAppends + "\n");
  CHECK(lines.check().take_journal().empty());
}

TEST_CASE("stream check: nothing need show what a stream of reads is about") {
  Lines lines;
  CHECK(lines.take(kReadsNothing).empty());
  lines.check().decide();
  CHECK(lines.check().checker()->counts().accepted == 1);
  CHECK(lines.take(kReadsNothing).empty());
  CHECK(lines.check().checker()->counts().duplicates == 1);
}

TEST_CASE("stream check: operations of another data model are passed over") {
  Lines lines;
  CHECK(lines.take(kWrites).empty());
  CHECK(lines.take(kAppends) == "expected writes, as elsewhere in the stream, found an append");
  Lines lists({.workload = Workload::kListAppend});
  CHECK(lists.take(kWrites) == "expected appends, as elsewhere in the stream, found a write");
  CHECK(lists.check().take_journal().empty());
  CHECK(lists.take(kReadsZero) ==
        "expected a list, as is read elsewhere in the stream, found one value");
  CHECK(lists.take("{") != "");
  CHECK(lists.check().checker()->counts().accepted == 0);
}

TEST_CASE("stream check: what registers hold at first is what the options say, or the header") {
  Lines none;
  CHECK(none.take(kReadsZero).empty());
  CHECK(none.provisional() == 1);
  Lines header;
  CHECK(header.take(kHeader).empty());
  CHECK(header.take(kReadsZero).empty());
  CHECK(header.provisional() == 0);
  Lines both({.initial = "7"});
  CHECK(both.take(kHeader).empty());
  CHECK(both.take(kReadsZero).empty());
  CHECK(both.provisional() == 1);
}

TEST_CASE("stream check: a header that is too late is too late after a restart as well") {
  constexpr std::string_view kLate =
      "expected one header before the transactions, found another one that contradicts what came "
      "before";
  Lines lines;
  CHECK(lines.take(kWrites).empty());
  CHECK(lines.take(kHeader) == kLate);
  const std::string saved = lines.check().save();
  Lines again;
  again.restore(saved, lines.store());
  for (Lines* both : {&lines, &again}) {
    CHECK(both->take(kHeader) == kLate);
    CHECK(both->take(kReadsZero).empty());
    CHECK(both->provisional() == 1);
  }
}

TEST_CASE("stream check: lines that were not understood count after a restart, each run anew") {
  Lines lines;
  CHECK(lines.take(kWrites).empty());
  (void)lines.check().take_journal();
  lines.check().note_error();
  lines.check().note_error();
  CHECK(lines.check().take_journal() == "#errors 1\n#errors 2\n");
  Lines again;
  again.restore(lines.check().save(), lines.store());
  CHECK(again.check().errors() == 2);
  again.check().note_error();
  again.check().note_error();
  CHECK(again.check().errors() == 2);
  CHECK(again.check().take_journal().empty());
  again.check().note_error();
  CHECK(again.check().errors() == 3);
  CHECK(again.check().take_journal() == "#errors 3\n");
}

TEST_CASE("stream check: it goes on where it was saved") {
  Lines lines({.level = "serializable", .lag = 3});
  CHECK(lines.take(kHeader).empty());
  CHECK(lines.take(kWrites).empty());
  const std::string saved = lines.check().save();
  Lines again({.level = "serializable", .lag = 3});
  again.restore(saved, lines.store());
  CHECK(again.check().checker()->watermark() == Timestamp{1, 0});
  CHECK(again.take(kWrites).empty());
  CHECK(again.check().checker()->counts().duplicates == 1);
  CHECK(again.check().take_journal().empty());
  CHECK(again.take(kReadsZero).empty());
  CHECK(again.provisional() == 0);
  CHECK(again.check().take_journal() == kReadsZero + "\n");
}

TEST_CASE("stream check: what must be the same when it goes on") {
  CHECK(StreamCheck::conditions({.level = "serializable"}) == "serializable");
  CHECK(StreamCheck::conditions({.level = "serializable", .initial = "0", .lag = 3}) ==
        "serializable lag 3 initial 0");
}

TEST_CASE("stream check: watermarks of the clock are in the journal, and said once") {
  Lines lines;
  lines.check().advance({9, 0});
  CHECK(lines.check().take_journal().empty());
  CHECK(lines.take(kWrites).empty());
  lines.check().advance({9, 4});
  lines.check().advance({9, 4});
  lines.check().advance({8, 0});
  CHECK(lines.check().take_journal() == kWrites + "\n#watermark 9 4\n");
  CHECK(lines.check().checker()->watermark() == Timestamp{9, 4});
}

TEST_CASE("stream check: a sorted stream must be sorted") {
  Lines lines({.is_sorted = true});
  CHECK(lines.take(kWrites).empty());
  CHECK(lines.take(kReadsZero) ==
        "expected the transactions in the order of their starts, found 1 behind 3");
  CHECK(lines.check().checker()->counts().accepted == 1);
}

}  // namespace
}  // namespace elapid
