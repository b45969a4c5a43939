// In pieces or as a whole, text of one operation a line gives the same history or the same error.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "harness/generate/random.h"
#include "parsers/rw_text/rw_text_format.h"
#include "parsers/rw_text/rw_text_pass.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

constexpr RwTextRules kRules = {.format = &kRwTextFormat};

std::string rw_told(const std::string& text, std::size_t threads, std::size_t piece_bytes,
                    bool salvage) {
  Sources sources(memory_source("h", text));
  ByteSource& source = *sources.open(0).value();
  ReadOptions options;
  options.threads = threads;
  options.salvage = salvage;
  for (RwTextPlan plan;;) {
    static_cast<void>(source.rewind());
    RwTextPass pass(source, kRules, plan, options, piece_bytes);
    if (Status status = pass.read(); !status.ok()) {
      return sources.located(0, std::move(status.error())).to_string();
    }
    if (!pass.plan_holds()) {
      plan = pass.plan();
      continue;
    }
    const Result<History> read = std::move(pass).finish(sources);
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
}

constexpr std::array<std::string_view, 8> kRwOddities = {
    "\n", "w(1,2,3,-1)\n", "r(1,0,3,-1)\n", "w(9,9,9,0)\n", "-", "x", "\xef\xbb\xbf", "\r\n"};

TEST_CASE("property: text of one operation a line in pieces and as a whole") {
  for (std::uint64_t seed = 1; seed <= case_count(1000); ++seed) {
    Random random(seed);
    std::string text;
    for (std::size_t line = 0; line < 100; ++line) {
      text += (random.percent(50) ? "w(" : "r(") + std::to_string(random.below(20)) + ',' +
              std::to_string(random.bits() >> (1 + random.below(63))) + ',' +
              std::to_string(line / 10 % 3) + ',' + std::to_string(line / 5) + ")\n";
    }
    for (std::size_t i = 0; i < seed % 3; ++i) {
      const std::size_t line = text.find('\n', random.below(text.size()));
      const std::size_t at = line == std::string::npos ? 0 : line + random.below(2);
      text.insert(at, kRwOddities[random.below(kRwOddities.size())]);
    }
    const bool salvage = random.percent(30);
    const std::string expected = rw_told(text, 1, 1000, salvage);
    for (const auto& [threads, bytes] :
         {std::pair(2U, 200U), std::pair(3U, 500U), std::pair(8U, 100U)}) {
      INFO("seed " << seed << ", " << threads << " threads, pieces of " << bytes << " of\n"
                   << text);
      REQUIRE(rw_told(text, threads, bytes, salvage) == expected);
    }
  }
}

}  // namespace
}  // namespace elapid
