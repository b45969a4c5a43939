// What is wrong with a test.jepsen: each error, and no other.
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "parsers/jepsen_binary/block_file.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

std::string error(const std::string& bytes) {
  const auto result = read_binary(bytes);
  return result ? "a history of " + std::to_string(result.value().txn_count()) + " txns"
                : result.error().to_string();
}

TEST_CASE("errors of the samples of bad files") {
  const std::string where = "test.jepsen: byte ";
  CHECK(error(binary_sample("bad-magic.jepsen")) ==
        where + "0: expected a file that begins with `JEPSEN`, found bytes 4a 45 50 53 4f 4e");
  CHECK(error(binary_sample("bad-version2.jepsen")) ==
        where + "6: expected version 0 or 1, found 2");
  CHECK(error(binary_sample("bad-no-index.jepsen")) ==
        where +
            "10: expected the offset of the block index, found 0: this file has no block index");
  CHECK(error(binary_sample("bad-truncated-index.jepsen")) ==
        where + "1482: expected a block of 164 bytes, found the end of the input after 144");
  CHECK(error(binary_sample("bad-crc-chunk.jepsen")) ==
        where + "314: expected checksum 0x20fb3a66 of block 4, found 0x1d49850b");
}

TEST_CASE("errors of the header") {
  const std::string where = "test.jepsen: byte ";
  CHECK(error("") == where + "0: expected a file that begins with `JEPSEN`, found bytes none");
  CHECK(error("JEPSEN") ==
        where + "6: expected a version of 4 bytes, found the end of the input after 0");
  CHECK(error(std::string("JEPSEN\0\0\0", 9)) ==
        where + "6: expected a version of 4 bytes, found the end of the input after 3");
  CHECK(error("JEPSEN" + std::string(4, '\xff')) == where + "6: expected version 0 or 1, found -1");
  CHECK(error("JEPSEN" + std::string(8, '\0')) ==
        where +
            "10: expected the offset of the block index, found the end: this file has no block "
            "index");
}

TEST_CASE("errors of blocks") {
  const std::string where = "test.jepsen: byte ";
  std::string bytes = binary_sample("list-append-9ops.jepsen");
  CHECK(error(bytes.substr(0, 1490)) ==
        where + "1482: expected a block's header of 28 bytes, found the end of the input after 8");
  bytes.replace(1482, 8, big_endian_bytes(27, 8));
  CHECK(error(bytes) ==
        where + "1482: expected a block of at least 28 bytes, found a length of 27");
  bytes.replace(1482, 8, std::string(8, '\xff'));
  CHECK(error(bytes) ==
        where + "1482: expected a block of at least 28 bytes, found a length of -1");
  bytes.replace(1482, 8, std::string(1, '\x7f') + std::string(7, '\xff'));
  CHECK(error(bytes) == where +
                            "1482: expected a block of 9223372036854775807 bytes, found the end of "
                            "the input after 164");
  bytes = binary_sample("list-append-9ops.jepsen");
  bytes[1482 + 13] = 6;
  CHECK(error(bytes) == where + "1482: expected a block of a type from 1 to 5, found type 6");
  bytes = binary_sample("list-append-9ops.jepsen");
  bytes.replace(10, 8, big_endian_bytes(1270, 8));
  CHECK(error(bytes) == where + "1270: expected the block index, found a block of type 2");
}

TEST_CASE("every byte of a block is under its checksum") {
  const std::string whole = binary_sample("list-append-9ops.jepsen");
  const std::string expected = outcome(whole);
  for (std::size_t at = 314; at < 314 + 403; ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    INFO(at);
    CHECK_FALSE(read_binary(bytes));
  }
}

/// A file with a history of four operations in two blocks (5 and 6) and a vector (1); the test
/// is 2.
std::string made(const std::function<void(FileMaker&)>& change, std::int32_t history = 1,
                 std::int32_t root = 2) {
  FileMaker maker;
  maker.add(4, fressian_of(appends(0, 2)), 5);
  maker.add(4, fressian_of(appends(2, 4)), 6);
  change(maker);
  maker.add_test(2, history);
  return maker.index(root);
}

std::string made_with_vector(std::uint64_t count,
                             const std::vector<std::pair<std::uint64_t, std::int32_t>>& chunks) {
  return made([&](FileMaker& maker) { maker.add(5, FileMaker::vector(count, chunks), 1); });
}

TEST_CASE("errors of big vectors") {
  using Catch::Contains;
  CHECK(error(made_with_vector(4, {{0, 5}, {2, 6}})) == "a history of 2 txns");
  CHECK_THAT(error(made_with_vector(5, {{0, 5}, {2, 6}})),
             Contains("expected 3 operations in block 6, found 2"));
  CHECK_THAT(error(made_with_vector(4, {{0, 5}, {3, 6}})),
             Contains("expected 3 operations in block 5, found 2"));
  CHECK_THAT(error(made_with_vector(4, {{1, 5}, {2, 6}})),
             Contains("expected chunks of block 1 from element 0 on, found them from 1"));
  CHECK_THAT(error(made_with_vector(4, {{0, 5}, {4, 6}})),
             Contains("expected a chunk of block 1 that begins before element 4, found one at 4"));
  CHECK_THAT(error(made_with_vector(4, {{2, 5}, {0, 6}})), Contains("that begins before element"));
  CHECK_THAT(error(made_with_vector(4, {})), Contains("from element 0 on, found them from 4"));
  CHECK_THAT(error(made_with_vector(0, {})), Contains("expected operations, found none"));
  CHECK_THAT(error(made_with_vector(4, {{0, 5}, {2, 7}})),
             Contains("expected block 7 in the index, found none"));
  CHECK_THAT(error(made_with_vector(4, {{0, 5}, {2, 2}})), Contains("expected a list, found code"));
  CHECK_THAT(error(made_with_vector(4, {{0, 1}})), Contains("found block 1 in itself"));
  CHECK_THAT(error(made([](FileMaker& maker) { maker.add(5, "12345678901", 1); })),
             Contains("expected a big vector of 8 bytes and 12 a chunk, found 11"));
  CHECK_THAT(error(made([](FileMaker& maker) {
               maker.add(5, FileMaker::vector(3, {{0, 6}}), 7);
               maker.add(5, FileMaker::vector(4, {{0, 5}, {2, 7}}), 1);
             })),
             Contains("expected 2 elements in block 7, found 3"));
}

TEST_CASE("errors on the way to the history") {
  using Catch::Contains;
  const auto nothing = [](FileMaker&) {};
  CHECK_THAT(error(made(nothing, 9)), Contains("expected block 9 in the index, found none"));
  CHECK_THAT(error(made(nothing, 5, 9)), Contains("expected block 9 in the index, found none"));
  CHECK_THAT(error(made(nothing, 5, 0)), Contains("expected operations, found none"));
  CHECK_THAT(error(made(nothing, 5, 5)),
             Contains("expected a map in block 5, which is the test's, found a block of type 4"));
  CHECK_THAT(error(made([](FileMaker& maker) { maker.add(1, "1234", 7); }, 7)),
             Contains("expected operations in block 7, found a block of type 1"));
  CHECK_THAT(error(made([](FileMaker& maker) { maker.add(2, fressian_of({"5"}), 7); }, 5, 7)),
             Contains("expected a map, found code 0x05"));
  CHECK_THAT(
      error(made([](FileMaker& maker) { maker.add(2, fressian_of({"{:history 5}"}), 7); }, 5, 7)),
      Contains("expected a reference to a block as :history, found `5`"));
  CHECK_THAT(
      error(made(
          [](FileMaker& maker) { maker.add(3, big_endian_bytes(7, 4) + fressian_of({"{}"}), 7); },
          5, 7)),
      Contains("expected partial maps without a cycle"));
  CHECK_THAT(error(made([](FileMaker& maker) { maker.add(3, "ab", 7); }, 5, 7)),
             Contains("expected a partial map's 4 bytes"));
}

TEST_CASE("errors of the index") {
  FileMaker maker;
  const std::uint64_t offset = maker.add(1, "12345");
  std::string bytes = maker.bytes();
  bytes.replace(10, 8, big_endian_bytes(offset, 8));
  CHECK_THAT(error(bytes), Catch::Contains("expected an index of 4 bytes and 12 a block, found 5"));
}

TEST_CASE("errors of operations") {
  using Catch::Contains;
  const auto with = [](const std::string& form) {
    return error(made([&](FileMaker& maker) { maker.add(4, fressian_of({form}), 7); }, 7));
  };
  CHECK_THAT(with("5"), Contains("form 1 is `5`, not an op map"));
  CHECK_THAT(with("[1 2]"), Contains("form 1 is a vector, not an op map"));
  CHECK_THAT(with("{:a 1}"), Contains("expected an operation, found one without :type"));
  CHECK_THAT(with("{:type :done}"), Contains("expected :invoke, :ok, :fail or :info as :type"));
  CHECK_THAT(with("#jepsen.history.Op 5"), Contains("expected an operation of 7 parts"));
  std::string bytes;
  fressian::Encoder encoder(bytes);
  encoder.begin_struct("jepsen.history.Op", 6);
  for (int i = 0; i < 6; ++i) {
    encoder.integer(i);
  }
  CHECK_THAT(error(made([&](FileMaker& maker) { maker.add(4, bytes, 7); }, 7)),
             Contains("expected an operation of 7 parts"));
  CHECK_THAT(error(made([&](FileMaker& maker) { maker.add(4, "\xb9", 7); }, 7)),
             Contains("expected the code of an object, found 0xb9"));
  CHECK_THAT(error(made([&](FileMaker& maker) { maker.add(4, "\x81", 7); }, 7)),
             Contains("expected one of 0 cached objects that are whole, found a reference to 1"));
}

}  // namespace
}  // namespace elapid
