// In pieces or as a whole, AWDIT's text gives the same history or the same error.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "harness/generate/random.h"
#include "parsers/awdit/awdit_reader.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

std::string awdit_told(const std::string& text, std::size_t threads, std::size_t piece_bytes,
                       bool salvage) {
  Sources sources(memory_source("h", text));
  ReadOptions options;
  options.threads = threads;
  options.salvage = salvage;
  AwditReader reader(*sources.open(0).value(), options, piece_bytes);
  if (Status status = reader.read(); !status.ok()) {
    return sources.located(0, std::move(status.error())).to_string();
  }
  const Result<History> read = std::move(reader).finish(sources);
  if (!read) {
    return read.error().to_string();
  }
  const History& history = read.value();
  std::string out = summary(history) + ' ' + std::to_string(history.info().source_bytes);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    out += ' ' + std::to_string(history.representative(txn).position.offset);
  }
  for (const Remark& remark : history.info().remarks) {
    out += '\n' + std::to_string(remark.position.offset) + ' ' + remark.message;
  }
  return out;
}

constexpr std::array<std::string_view, 9> kAwditOddities = {"\n",
                                                            "-w 5 5-r 1 2 words=",
                                                            "w 18446744073709551615 1\n",
                                                            "w 1",
                                                            "-",
                                                            "x",
                                                            "\xef\xbb\xbf",
                                                            "\r",
                                                            "\xff"};

TEST_CASE("property: AWDIT's text in pieces and as a whole") {
  for (std::uint64_t seed = 1; seed <= case_count(1000); ++seed) {
    Random random(seed);
    std::string text;
    for (std::size_t line = 0; line < 100; ++line) {
      text += random.percent(25) ? "---\n"
              : random.percent(10)
                  ? "====\n"
                  : (random.percent(50) ? "w " : "r ") + std::to_string(random.below(20)) + ' ' +
                        std::to_string(random.bits() >> (1 + random.below(63))) + '\n';
    }
    for (std::size_t i = 0; i < seed % 3; ++i) {
      const std::size_t line = text.find('\n', random.below(text.size()));
      const std::size_t at = line == std::string::npos ? 0 : line + random.below(2);
      text.insert(at, kAwditOddities[random.below(kAwditOddities.size())]);
    }
    text.resize(text.size() - random.below(2));
    const bool salvage = random.percent(30);
    const std::string expected = awdit_told(text, 1, 1000, salvage);
    for (const auto& [threads, bytes] :
         {std::pair(2U, 200U), std::pair(3U, 500U), std::pair(8U, 100U)}) {
      INFO("seed " << seed << ", " << threads << " threads, pieces of " << bytes << " of\n"
                   << text);
      REQUIRE(awdit_told(text, threads, bytes, salvage) == expected);
    }
  }
}

}  // namespace
}  // namespace elapid
