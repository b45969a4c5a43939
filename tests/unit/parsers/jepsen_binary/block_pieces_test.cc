// By all threads or by one, a test.jepsen gives the same history or the same error, damaged or not.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen_binary/block_pieces.h"
#include "parsers/jepsen_binary/open_ops.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

std::string told(const std::string& bytes, std::size_t threads) {
  ReadOptions options;
  options.threads = threads;
  const Result<History> read = read_binary(bytes, options);
  if (!read) {
    return read.error().to_string();
  }
  const History& history = read.value();
  std::string out = summary(history) + ' ' + std::to_string(history.info().source_bytes) + ' ' +
                    std::to_string(history.values().size());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    out += ' ' + std::to_string(history.representative(txn).position.offset);
    for (const Op op : history.ops(txn)) {
      out += ' ' + std::to_string(op.key().value) + ' ' + std::to_string(op.list().bits());
    }
  }
  for (const Remark& remark : history.info().remarks) {
    out += '\n' + std::to_string(remark.position.offset) + ' ' + remark.message;
  }
  return out;
}

/// Operations of several kinds, by turns invoked and completed.
std::vector<std::string> some_ops(Random& random, std::size_t count) {
  std::vector<std::string> ops;
  std::string value;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key =
        random.percent(80) ? std::to_string(random.below(20)) : ":k" + std::to_string(i % 5);
    if (i % 2 == 0) {
      value = random.percent(2)    ? "[5 [[:append 1 2]]]"
              : random.percent(50) ? "[[:append " + key + ' ' + std::to_string(i) + "]]"
                                   : "[[:r " + key + " nil]]";
    }
    ops.push_back("{:f :txn :index " + std::to_string(i) + " :process 0 :type " +
                  (i % 2 == 0 ? ":invoke" : ":ok") + " :value " + value + "}");
  }
  return ops;
}

/// In blocks of lists and streams, whose numbers of operations may be told wrongly.
std::string file_of(Random& random) {
  const std::vector<std::string> ops = some_ops(random, 60 + random.below(60));
  FileMaker file;
  std::vector<std::pair<std::uint64_t, std::int32_t>> chunks;
  std::int32_t id = 10;
  for (std::size_t first = 0; first < ops.size(); ++id) {
    const std::size_t end = std::min(ops.size(), first + 1 + random.below(30));
    const std::vector<std::string> chunk(ops.begin() + static_cast<std::ptrdiff_t>(first),
                                         ops.begin() + static_cast<std::ptrdiff_t>(end));
    std::string list = "[";
    for (const std::string& op : chunk) {
      list += op + ' ';
    }
    random.percent(50) ? file.add(4, fressian_of(chunk), id)
                       : file.add(2, fressian_of({list + ']'}), id);
    chunks.emplace_back(first, id);
    first = end;
  }
  file.add(5, FileMaker::vector(ops.size() + (random.percent(5) ? 1 : 0), chunks), 2);
  file.add_test(1, 2);
  return file.index(1);
}

TEST_CASE("property: the blocks of a Jepsen file by one thread and by several") {
  for (std::uint64_t seed = 1; seed <= case_count(600); ++seed) {
    Random random(seed);
    std::string bytes = file_of(random);
    for (std::size_t i = 0; i < seed % 3; ++i) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    const std::string expected = told(bytes, 1);
    for (const std::size_t threads : {2U, 3U, 8U}) {
      INFO("seed " << seed << ", " << threads << " threads");
      REQUIRE(told(bytes, threads) == expected);
    }
  }
}

TEST_CASE("what a workload does not have is said to be where its operation is") {
  const auto file = [](const std::string& mops) {
    std::vector<std::string> ops = appends(0, 6);
    ops.push_back("{:f :txn :index 6 :process 0 :type :invoke :value [" + mops + "]}");
    FileMaker made;
    made.add(4, fressian_of(ops), 2);
    made.add_test(1, 2);
    return made.index(1);
  };
  const Result<History> whole = read_binary(file("[:append :x 9] [:r :y nil]"));
  REQUIRE(whole);
  REQUIRE(whole.value().txn_count() == 4);
  const std::uint64_t place = whole.value().representative({3}).position.offset;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kCases = {
      {{"[:append :x 9] [:w :y 1]", "w"},
       {"[:append :x 9] [:zap :y 1]", "zap"},
       {"[:zap :x 9] [:append :z 1] [:w :y 1]", "zap"},
       {"[:append :z 1] [:w :x 9] [:zap :y 1]", "w"}}};
  for (const auto& [mops, found] : kCases) {
    for (const std::size_t threads : {1U, 3U}) {
      INFO(mops << ", " << threads << " threads");
      CHECK(told(file(std::string(mops)), threads) ==
            "test.jepsen: byte " + std::to_string(place) +
                ": expected operations of list-append, `append` and `r`, found `" +
                std::string(found) + '`');
    }
  }
}

/// Appends in leaves of six operations, one of them of eight, the last two in a vector inside the
/// vector.
struct LeavesFile {
  static constexpr std::int32_t kLeaves = 9;
  static constexpr std::int32_t kNested = 50;  ///< the id of the inner vector

  /// The index does not name the block `unnamed`.
  explicit LeavesFile(std::int32_t unnamed = 0) {
    constexpr std::int32_t kOuter = kLeaves - 2;
    const auto begin = [](std::int32_t leaf) { return 6 * leaf + (leaf > 4 ? 2 : 0); };
    const auto indexed = [unnamed](std::int32_t id) { return id == unnamed ? 0 : id; };
    FileMaker maker;
    std::vector<std::pair<std::uint64_t, std::int32_t>> outer;
    std::vector<std::pair<std::uint64_t, std::int32_t>> inner;
    for (std::int32_t leaf = 0; leaf < kLeaves; ++leaf) {
      const std::int32_t id = leaf + 10;
      const std::string ops = fressian_of(appends(begin(leaf), begin(leaf + 1)));
      leaves.push_back(maker.add(4, ops, indexed(id)));
      leaf < kOuter ? outer.emplace_back(begin(leaf), id)
                    : inner.emplace_back(begin(leaf) - begin(kOuter), id);
    }
    const std::string inside = FileMaker::vector(begin(kLeaves) - begin(kOuter), inner);
    nested = maker.add(5, inside, indexed(kNested));
    outer.emplace_back(begin(kOuter), kNested);
    maker.add(5, FileMaker::vector(begin(kLeaves), outer), 2);
    maker.add_test(1, 2);
    bytes = maker.index(1);
  }

  std::vector<std::uint64_t> leaves;  ///< where they are
  std::uint64_t nested = 0;           ///< likewise
  std::string bytes;
};

TEST_CASE("a block that cannot be found ends the pieces") {
  const LeavesFile file;
  REQUIRE(told(file.bytes, 3) == told(file.bytes, 1));
  std::vector<std::uint64_t> blocks = file.leaves;
  blocks.push_back(file.nested);
  std::size_t combination = 0;
  for (const std::uint64_t block : blocks) {
    for (const std::uint64_t byte : {0U, 3U, 6U, 7U, 12U, 13U}) {
      for (const int value : {0x00, 0x01, 0x05, 0x7f, 0xff, 0x80}) {
        if (combination++ % stride() != 0) {
          continue;
        }
        std::string bytes = file.bytes;
        bytes[block + byte] = static_cast<char>(value);
        INFO("block at " << block << ", byte " << byte << ", value " << value);
        CHECK(told(bytes, 3) == told(bytes, 1));
      }
    }
  }
  std::string bytes = file.bytes;
  bytes[file.nested + jepsen_binary::kBlockHeader] ^= 1;
  CHECK(told(bytes, 3) == told(bytes, 1));
}

TEST_CASE("a block that the index does not name ends the pieces") {
  for (std::int32_t id = 10; id < 10 + LeavesFile::kLeaves; ++id) {
    const LeavesFile file(id);
    INFO("block " << id);
    CHECK(told(file.bytes, 3) == told(file.bytes, 1));
  }
  const LeavesFile file(LeavesFile::kNested);
  CHECK(told(file.bytes, 3) == told(file.bytes, 1));
}

TEST_CASE("a block that is too large ends the pieces") {
  const LeavesFile file;
  const std::uint64_t usual = file.leaves[1] - file.leaves[0];
  const std::uint64_t largest = file.leaves[5] - file.leaves[4];
  REQUIRE(usual < largest);
  for (const std::size_t threads : {2U, 3U, 8U}) {
    for (const std::uint64_t most : {largest, largest - 1, usual, usual - 1}) {
      const auto source = memory_source("test.jepsen", file.bytes);
      auto ops = jepsen_binary::open_blocks(*source);
      REQUIRE(ops);
      ReadOptions options;
      options.threads = threads;
      OpAssembler assembler(options, Workload::kListAppend);
      ReadProgress progress(*source, options);
      const Result<bool> is_all = jepsen_binary::read_block_pieces(
          *ops.value(), options, Workload::kListAppend, assembler, progress, most);
      REQUIRE(is_all);
      INFO(threads << " threads, at most " << most << " bytes");
      CHECK(is_all.value() == (most == largest));
    }
  }
}

}  // namespace
}  // namespace elapid
