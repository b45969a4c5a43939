// By all threads or by one, a test.jepsen gives the same history or the same error, damaged or not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "harness/generate/random.h"
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

}  // namespace
}  // namespace elapid
