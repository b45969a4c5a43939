// Files of crashed runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "parsers/jepsen_binary/jepsen_binary_format.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

const ReadOptions kSalvage = [] {
  ReadOptions options;
  options.salvage = true;
  return options;
}();

/// The transactions and what is said about the breaks.
struct Salvaged {
  std::string history = {};
  std::string remarks = {};
};

Salvaged salvaged(const std::string& bytes) {
  const auto result = read_binary(bytes, kSalvage);
  if (!result) {
    return {result.error().to_string(), ""};
  }
  Salvaged out{summary(result.value()), ""};
  for (const Remark& remark : result.value().info().remarks) {
    if (remark.kind == Remark::Kind::kSalvaged) {
      out.remarks += std::to_string(remark.position.offset) + ": " + remark.message + '\n';
    }
  }
  return out;
}

/// What is read of the first `count` operations of `list-append-9ops`.
std::string prefix(std::size_t count) {
  FileMaker maker;
  std::string edn = binary_sample("list-append-9ops.history.edn");
  std::vector<std::string> ops;
  while (ops.size() < count) {
    ops.push_back(edn.substr(0, edn.find('\n')));
    edn.erase(0, edn.find('\n') + 1);
  }
  maker.add(4, fressian_of(ops), 1);
  maker.add_test(2, 1);
  return outcome(maker.index(2));
}

TEST_CASE("a whole file is salvaged without a word") {
  for (const char* name : {"list-append-9ops.jepsen", "list-append-9ops-chunk4.jepsen",
                           "list-append-9ops-chunk4-gc.jepsen", "rewritten-write-test.jepsen",
                           "v0-like-maps.jepsen", "test.fressian"}) {
    INFO(name);
    CHECK(salvaged(binary_sample(name)).history == outcome(binary_sample(name)));
    CHECK(salvaged(binary_sample(name)).remarks.empty());
  }
}

TEST_CASE("what precedes a damaged chunk is taken") {
  std::string bytes = binary_sample("list-append-9ops-chunk4.jepsen");
  bytes[672 + 40] = static_cast<char>(bytes[672 + 40] ^ 1);  // the second of three chunks
  CHECK_THAT(outcome(bytes), Catch::Contains("of block 6, found"));
  CHECK(salvaged(bytes).history == prefix(4));
  CHECK_THAT(salvaged(bytes).remarks,
             Catch::StartsWith("672: expected checksum ") &&
                 Catch::EndsWith("; there should be 9 operations; 4 operations were taken\n"));
}

TEST_CASE("of a damaged first chunk nothing is left") {
  CHECK(salvaged(binary_sample("bad-crc-chunk.jepsen")).history ==
        "test.jepsen: byte 314: expected checksum 0x20fb3a66 of block 4, found 0x1d49850b; there "
        "should be 9 operations; no operations can be taken");
}

TEST_CASE("an older index serves where the newest is cut off") {
  const Salvaged result = salvaged(binary_sample("bad-truncated-index.jepsen"));
  CHECK(result.history == outcome(binary_sample("list-append-9ops.jepsen")));
  CHECK(result.remarks ==
        "1482: expected a block of 164 bytes, found the end of the input after 144; 9 operations "
        "were taken\n");
}

TEST_CASE("chunks behind an older index are found") {
  const Salvaged result = salvaged(binary_sample("ok-older-index.jepsen"));
  CHECK(result.history == outcome(binary_sample("list-append-9ops.jepsen")));
  CHECK(result.remarks.empty());
}

TEST_CASE("an unfinished block behind the index is tried") {
  const Salvaged result = salvaged(binary_sample("ok-trailing-unsealed-chunk.jepsen"));
  CHECK(result.history == outcome(binary_sample("list-append-9ops.jepsen")));
  CHECK_THAT(result.remarks,
             Catch::StartsWith("1646: a block that the index does not name was never finished; 9 "
                               "operations were taken\n"));
}

/// A run that wrote its first chunk and crashed in the second one: appends(0, 2), then
/// `unfinished`.
std::string crashed(const std::string& unfinished) {
  FileMaker maker;
  maker.add(4, fressian_of(appends(0, 2)), 5);
  maker.add(5, FileMaker::vector(2, {{0, 5}}), 1);
  maker.add_test(2, 1);
  maker.index(2);
  maker.append(std::string(28, '\0') + unfinished);
  return maker.bytes();
}

/// Operations as the records that Jepsen writes.
std::string records(int first, int last) {
  std::string bytes;
  fressian::Encoder encoder(bytes);
  for (int i = first; i < last; ++i) {
    encoder.begin_struct("jepsen.history.Op", 7);
    encoder.integer(i);
    encoder.integer(i);
    encoder.cached_keyword(i % 2 == 0 ? "invoke" : "ok");
    encoder.integer(0);
    encoder.cached_keyword("txn");
    if (!fressian::encode_edn("[[:append :x " + std::to_string(i / 2 + 1) + "]]", encoder).ok()) {
      return {};
    }
    encoder.null();
  }
  return bytes;
}

TEST_CASE("operations of an unfinished chunk are taken up to its first error") {
  const std::string whole = records(2, 6);
  const std::string two = "0 ok [:append :x 1]; 0 ok [:append :x 2]";
  CHECK(outcome(crashed(whole)) == "0 ok [:append :x 1]");
  CHECK(salvaged(crashed(whole)).history == two + "; 0 ok [:append :x 3]");
  CHECK(salvaged(crashed(whole.substr(0, whole.size() - 1))).history ==
        two + "; 0 info [:append :x 3]");
  const std::size_t two_ops = records(2, 4).size();
  const Salvaged result = salvaged(crashed(whole.substr(0, two_ops + 1)));
  CHECK(result.history == two);
  CHECK_THAT(result.remarks, Catch::Contains("found the end of the data; 4 operations were taken"));
}

TEST_CASE("what follows in a file but is no next operation is left out") {
  for (const std::string& other :
       {fressian_of({"0", "{:valid? true}"}), records(5, 7), fressian_of(appends(3, 4))}) {
    const Salvaged result = salvaged(crashed(other));
    CHECK(result.history == "0 ok [:append :x 1]");
    CHECK_THAT(result.remarks, Catch::Contains("expected operation 2 behind the indexed blocks"));
  }
}

TEST_CASE("a file that never got an index is read from its first block on") {
  FileMaker maker;
  maker.add(4, records(0, 2));
  maker.append(std::string(28, '\0') + records(2, 4));
  CHECK_THAT(outcome(maker.bytes()), Catch::Contains("this file has no block index"));
  const Salvaged result = salvaged(maker.bytes());
  CHECK(result.history == "0 ok [:append :x 1]; 0 ok [:append :x 2]");
  CHECK_THAT(result.remarks, Catch::StartsWith("10: expected the offset of the block index"));
}

TEST_CASE("events of salvaged files are read again") {
  const std::string bytes = crashed(records(2, 6));
  const auto source = memory_source("test.jepsen", bytes);
  const auto parsed = read_binary(bytes, kSalvage);
  REQUIRE(parsed);
  const Event last = parsed.value().event(TxnId{2}, EventKind::kCompletion);
  const auto details = open_jepsen_binary_details(*source)(last.position.offset, false);
  REQUIRE(details);
  CHECK(details.value().f == ":txn");
}

/// Whether the file is salvaged as what the first so many operations make, or has none.
bool gives_prefix(const std::string& bytes) {
  static const std::vector<std::string> kPrefixes = [] {
    std::vector<std::string> all;
    for (std::size_t count = 1; count <= 9; ++count) {
      all.push_back(prefix(count));
    }
    return all;
  }();
  const auto result = read_binary(bytes, kSalvage);
  return result ? std::find(kPrefixes.begin(), kPrefixes.end(), summary(result.value())) !=
                      kPrefixes.end()
                : result.error().kind == ErrorKind::kMalformed;
}

TEST_CASE("a file cut anywhere is salvaged up to some operation") {
  for (const char* name :
       {"list-append-9ops-chunk4.jepsen", "list-append-9ops.jepsen",
        "list-append-9ops-chunk4-gc.jepsen", "rewritten-write-test.jepsen", "test.fressian"}) {
    const std::string whole = binary_sample(name);
    for (std::size_t size = 0; size < whole.size(); size += stride() * stride()) {
      INFO(name << " cut at " << size);
      CHECK(gives_prefix(whole.substr(0, size)));
    }
  }
}

TEST_CASE("a test.fressian that breaks off keeps what came before") {
  const std::string whole = binary_sample("test.fressian");
  const Salvaged result = salvaged(whole.substr(0, 600));
  CHECK_THAT(result.history, Catch::StartsWith("0 ok [:append :x 1] [:r :y ()]"));
  CHECK_THAT(result.remarks, Catch::Contains("operations were taken"));
  CHECK_THAT(outcome(whole.substr(0, 600)), Catch::Contains("byte 600: expected"));
}

}  // namespace
}  // namespace elapid
