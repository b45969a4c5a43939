#include "engine/online/page_allocator.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "harness/generate/random.h"

namespace elapid {
namespace {

/// Takes blocks of any size and gives them back in any order, each filled with a byte of its own.
/// False if one was touched meanwhile.
bool keeps_blocks_apart(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<unsigned char, PageAllocator<unsigned char>>> blocks;
  bool is_untouched = true;
  for (int i = 0; i < 2000; ++i) {
    const auto byte = static_cast<unsigned char>(random.below(256));
    blocks.emplace_back(1 + random.below(20'000), byte);
    if (random.percent(45)) {
      std::swap(blocks[random.below(blocks.size())], blocks.back());
      const auto& block = blocks.back();
      is_untouched =
          is_untouched && std::memcmp(block.data(), block.data() + 1, block.size() - 1) == 0;
      blocks.pop_back();
    }
  }
  return is_untouched;
}

TEST_CASE("page pool: blocks of all sizes are apart, whichever threads take them") {
  bool is_right = true;
  std::thread other([&] { is_right = keeps_blocks_apart(1); });
  CHECK(keeps_blocks_apart(2));
  other.join();
  CHECK(is_right);
}

TEST_CASE("page pool: blocks are aligned for whatever there is") {
  PagePool& pool = PagePool::instance();
  for (std::size_t bytes = 1; bytes < 16'000; bytes += 511) {
    void* const block = pool.take(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t) == 0);
    pool.give(block, bytes);
  }
}

}  // namespace
}  // namespace elapid
