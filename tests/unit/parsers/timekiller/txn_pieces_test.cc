// In pieces or as a whole, an input gives the same transactions and ends in the same way.
#include "parsers/timekiller/txn_pieces.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

std::string told(const std::string& text, std::size_t threads, std::size_t piece_bytes,
                 std::size_t most) {
  const auto source = memory_source("h", text);
  ReadOptions options;
  options.threads = threads;
  std::string out;
  std::size_t count = 0;
  const TxnsRead read = for_each_txn(
      *source, options,
      [&](const TimekillerTxn& txn) {
        out += std::to_string(txn.offset) + ' ' + txn.text_of(txn.id) + ' ' +
               txn.text_of(txn.session) + ' ' + std::to_string(txn.start.physical) + ' ' +
               std::to_string(txn.commit.logical);
        for (const TimekillerOp& op : txn.ops) {
          out += ' ' + std::to_string(op.offset) + ' ' + txn.text_of(op.key) + ' ' +
                 txn.text_of(op.value) + ' ' + std::to_string(op.list_length);
        }
        out += '\n';
        return ++count < most;
      },
      piece_bytes);
  return out + std::to_string(read.offset) + ' ' + std::to_string(read.has_byte_order_mark) + ' ' +
         (read.status.ok() ? "" : read.status.error().to_string());
}

std::string sample_txns(bool is_array, std::size_t count) {
  std::string text = is_array ? "[\n" : "";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i + 1);
    text += R"({"tid":)" + n + R"(,"sid":"s)" + std::to_string(i % 3) + R"(","sts":{"p":)" + n +
            R"(,"l":0},"cts":{"p":)" + n + R"(,"l":1},"ops":[{"t":"w","k":7,"v":)" + n +
            R"(},{"t":"r","k":"x","v":null}]})" + (is_array && i + 1 < count ? ",\n" : "\n");
  }
  return text + (is_array ? "]\n" : "");
}

constexpr std::array<std::string_view, 12> kOddities = {
    "\n", ",", "]", "[", "{", "}", "\"", ",\n", "]\n", "null", "\n{}\n", "\xef\xbb\xbf"};

TEST_CASE("property: TimeKiller's transactions in pieces and as a whole") {
  for (std::uint64_t seed = 1; seed <= case_count(1000); ++seed) {
    Random random(seed);
    std::string text = sample_txns(random.percent(50), 30);
    for (std::size_t i = 0; i < seed % 3; ++i) {
      const std::size_t at = random.below(text.size());
      if (random.percent(50)) {
        text.erase(at, 1 + random.below(2));
      } else {
        text.insert(at, kOddities[random.below(kOddities.size())]);
      }
    }
    const std::size_t most = random.percent(20) ? 1 + random.below(30) : 1000;
    const std::string expected = told(text, 1, 1000, most);
    for (const auto& [threads, bytes] :
         {std::pair(2U, 200U), std::pair(3U, 500U), std::pair(8U, 150U)}) {
      INFO("seed " << seed << ", " << threads << " threads, pieces of " << bytes << " of\n"
                   << text);
      REQUIRE(told(text, threads, bytes, most) == expected);
    }
  }
}

}  // namespace
}  // namespace elapid
