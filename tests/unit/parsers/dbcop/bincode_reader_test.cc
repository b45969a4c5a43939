#include "parsers/dbcop/readers.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "parsers/dbcop/dbcop_format.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

struct BincodeEvent {
  bool is_write;
  std::uint64_t variable;
  std::uint64_t value;
  bool success = true;
};

struct Txn {
  std::vector<BincodeEvent> events;
  bool success = true;
};

using Session = std::vector<Txn>;

std::string number(std::uint64_t n) {
  std::string out;
  for (int i = 0; i < 8; ++i, n >>= 8U) {
    out += static_cast<char>(n);
  }
  return out;
}

std::string sized_text(const std::string& content) {
  return number(content.size()) + content;
}

std::string head(const std::string& info = "test") {
  std::string out;
  for (std::uint64_t hint = 0; hint < 5; ++hint) {
    out += number(hint);
  }
  return out + sized_text(info) + sized_text("2026-11-21T00:00:00+00:00") +
         sized_text("2026-11-21T00:00:01+00:00");
}

std::string bincode(const std::vector<Session>& sessions) {
  std::string out = head() + number(sessions.size());
  for (const Session& session : sessions) {
    out += number(session.size());
    for (const Txn& txn : session) {
      out += number(txn.events.size());
      for (const BincodeEvent& event : txn.events) {
        out += static_cast<char>(event.is_write);
        out += number(event.variable) + number(event.value);
        out += static_cast<char>(event.success);
      }
      out += static_cast<char>(txn.success);
    }
  }
  return out;
}

std::string bincode_outcome(const std::string& bytes, const ReadOptions& options = {}) {
  return outcome(read_dbcop, bytes, "bincode", options);
}

TEST_CASE("the sample of bincode is read") {
  const Result<History> parsed = read_text(read_dbcop, sample("dbcop/valid.bincode"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) ==
        "1 ok [:w 0 1] [:r 1 0]; 1 ok [:w 0 2]; 2 ok [:r 0 1] [:w 1 4]; 2 fail [:w 0 9]");
  CHECK(history.info().format == "dbcop");
  CHECK(history.info().initial == ValueId::integer(0));
  CHECK(history.info().source_bytes == 316);
  CHECK(history.event({0}, EventKind::kCompletion).position.offset == 146);
  CHECK(remarks(parsed.value()).empty());
}

TEST_CASE("bincode is read from a directory as well") {
  const TemporaryFolder folder;
  folder.write("history.bincode", sample("dbcop/valid.bincode"));
  Sources sources(folder.path().string());
  const Result<History> parsed = read_dbcop(sources, "", {});
  REQUIRE(parsed);
  CHECK(parsed.value().txn_count() == 4);
}

TEST_CASE("bad samples of bincode") {
  CHECK(bincode_outcome(sample("dbcop/bad-bool.bincode")) ==
        "input: byte 315: expected a bool, 0 or 1, found 7 in session 2, transaction 2");
  CHECK(bincode_outcome(sample("dbcop/bad-length.bincode")) ==
        "input: byte 40: expected the information in at most 1 MiB, found a length of "
        "1152921504606846976 bytes");
  CHECK(bincode_outcome(sample("dbcop/bad-truncated.bincode"))
            .starts_with("input: byte 297: expected 18 bytes, as 1 events are announced, in "
                         "session 2, transaction 2, "
                         "event 1, found the end of the input after 16 more bytes"));
  const std::string trailing = sample("dbcop/bad-trailing.bincode");
  CHECK_THAT(bincode_outcome(trailing),
             Catch::EndsWith("expected the end of the input behind the last of 2 sessions, found "
                             "more bytes"));
  const Result<History> salvaged = read_text(read_dbcop, trailing, "", {.salvage = true});
  REQUIRE(salvaged);
  REQUIRE(remarks(salvaged.value()).size() == 1);
  CHECK_THAT(remarks(salvaged.value()).front(), Catch::EndsWith("kept what is whole before that, 4 "
                                                                "transactions"));
  CHECK(summary(salvaged.value()) == bincode_outcome(sample("dbcop/valid.bincode")));
}

TEST_CASE("failed operations are left out and failed transactions are aborted") {
  const Result<History> parsed =
      read_text(read_dbcop, bincode({{{{{true, 1, 5, false}, {false, 1, 0, false}, {true, 2, 6}}},
                                      {{{true, 1, 7}}, false},
                                      {{}}}}));
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "1 ok [:w 2 6]; 1 fail [:w 1 7]; 1 ok");
  CHECK(parsed.value().info().assumptions ==
        std::vector<std::string>{"Operations left out because they failed: 2."});
}

TEST_CASE("empty sessions have numbers") {
  CHECK(bincode_outcome(bincode({{}, {{{{true, 1, 5}}}}})) == "2 ok [:w 1 5]");
  CHECK(bincode_outcome(bincode({})).empty());
}

TEST_CASE("numbers of bincode have 64 bits without a sign") {
  CHECK(bincode_outcome(bincode({{{{{true, 18441062882307273032U, 18446744073709551615U},
                                    {false, 18441062882307273032U, 9223372036854775807U}}}}})) ==
        "1 ok [:w 18441062882307273032N 18446744073709551615N] [:r 18441062882307273032N "
        "9223372036854775807]");
}

TEST_CASE("a first transaction of zeros to every key is the initial one") {
  const Session zeros = {{{{true, 1, 0}, {true, 2, 0}}}};
  const Session reader = {{{{false, 1, 0}, {true, 2, 3}}}};
  const auto initial = [](const std::vector<Session>& sessions) {
    const Result<History> parsed = read_text(read_dbcop, bincode(sessions));
    REQUIRE(parsed);
    const HistoryInfo& info = parsed.value().info();
    CHECK(info.initial.is_none() == (info.initial_txn == TxnId{0}));
    return !info.initial_txn.is_none();
  };
  CHECK(initial({zeros, reader}));
  CHECK_FALSE(initial({reader, zeros}));
  CHECK_FALSE(initial({{zeros[0], zeros[0]}, reader}));
  CHECK_FALSE(initial({{{{{true, 1, 1}, {true, 2, 1}}}}, {{{{false, 1, 1}, {true, 2, 3}}}}}));
  CHECK_FALSE(initial({{{{{true, 1, 0}}}}, reader}));
  CHECK_FALSE(initial({{{{{true, 1, 0}, {true, 2, 0, false}}}}, reader}));
  CHECK_FALSE(initial({{{{{true, 1, 0}, {true, 2, 0}}, false}}, reader}));
}

TEST_CASE("zeros that are no initial transaction are told of") {
  const Result<History> parsed =
      read_text(read_dbcop, bincode({{{{{true, 1, 5}}}}, {{{{true, 1, 0}}}}}));
  REQUIRE(parsed);
  CHECK(parsed.value().info().initial == ValueId::integer(0));
  CHECK(parsed.value().info().assumptions ==
        std::vector<std::string>{
            "Operations that write 0, which keys hold before the first write as well: 1."});
}

TEST_CASE("a large initial transaction is found through a small window") {
  Session zeros(1);
  for (std::uint64_t key = 0; key < 50'000; ++key) {
    zeros[0].events.push_back({true, key, 0});
  }
  const Result<History> parsed = read_text(read_dbcop, bincode({zeros, {{{{true, 7, 1}}}}}));
  REQUIRE(parsed);
  CHECK(parsed.value().op_count() == 50'001);
  CHECK(parsed.value().info().initial_txn == TxnId{0});
}

TEST_CASE("the initial value of bincode can be given") {
  const Result<History> parsed =
      read_text(read_dbcop, bincode({{{{{false, 1, 1}}}}}), "", {.initial = "1"});
  REQUIRE(parsed);
  CHECK(parsed.value().info().initial == ValueId::integer(1));
}

TEST_CASE("bools of events are checked") {
  std::string bytes = bincode({{{{{true, 1, 5}}}}});
  bytes[bytes.size() - 19] = 2;
  CHECK(bincode_outcome(bytes) ==
        "input: byte " + std::to_string(bytes.size() - 19) +
            ": expected bools, 0 or 1, as first and last byte, found 2 and 1 in session 1, "
            "transaction 1, event 1");
}

TEST_CASE("counts that the input does not keep take no memory") {
  const std::uint64_t huge = std::uint64_t{1} << 61U;
  CHECK(bincode_outcome(head() + number(huge)) ==
        "input: byte 126: expected the number of transactions, as 2305843009213693952 sessions are "
        "announced, in session 1, found the end of the input after 0 more bytes");
  CHECK(bincode_outcome(head() + number(1) + number(huge)) ==
        "input: byte 134: expected the number of events in session 1, transaction 1, found the end "
        "of the input after 0 more bytes");
  CHECK(bincode_outcome(head() + number(2) + number(1) + number(huge)) ==
        "input: byte 142: expected 18 bytes, as 2305843009213693952 events are announced, in "
        "session 1, transaction 1, event 1, found the end of the input after 0 more bytes");
}

TEST_CASE("texts of bincode are UTF-8") {
  CHECK(bincode_outcome(head("caf\xc3\xa9") + number(0)).empty());
  CHECK(bincode_outcome(head("caf\xe9") + number(0)) ==
        "input: byte 48: expected the information in valid UTF-8, found something else");
}

TEST_CASE("bincode cut short anywhere") {
  const std::string bytes = sample("dbcop/valid.bincode");
  const std::string whole = bincode_outcome(bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO("cut to " << length << " bytes");
    const std::string cut = bytes.substr(0, length);
    const Result<History> strict = read_text(read_dbcop, cut, "bincode");
    REQUIRE_FALSE(strict);
    CHECK(strict.error().byte_offset.has_value());
    CHECK_FALSE(strict.error().line.has_value());
    const Result<History> salvaged = read_text(read_dbcop, cut, "bincode", {.salvage = true});
    const bool has_head = length >= 138;
    REQUIRE(salvaged.ok() == has_head);
    if (has_head) {
      CHECK(whole.starts_with(summary(salvaged.value())));
      CHECK(has_remark(salvaged.value(), Remark::Kind::kSalvaged));
    }
  }
}

TEST_CASE("reading bincode can be stopped") {
  const ReadOptions options{.progress = [](std::uint64_t, std::uint64_t) { return false; }};
  CHECK(bincode_outcome(bincode({{{{}}}}), options).ends_with("the reading was interrupted"));
}

}  // namespace
}  // namespace elapid
