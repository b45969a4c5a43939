// The order in which Elle visits the vertices of its graphs.
//
// Elle keeps transactions in Bifurcan sets, compressed hash-array mapped prefix tries (Steindorfer
// and Vinju, OOPSLA 2015) that iterate canonically: the order depends only on the set of keys. Elle
// keeps the first cycle that it meets, so a drop-in has to visit in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elapid::elle {

/// The hash that places an operation with this :index in the trie.
[[nodiscard]] std::uint32_t champ_hash(std::int64_t index);

/// The same mixing for any 64-bit hash code.
[[nodiscard]] std::uint32_t champ_mix(std::int64_t hash_code);

/// Positions 0 .. n-1 of `hashes` (made by champ_mix) in the trie's order of iteration.
[[nodiscard]] std::vector<std::uint32_t> champ_order_of_hashes(
    std::span<const std::uint32_t> hashes);

/// Positions 0 .. n-1 of `indices` in the trie's order of iteration. O(n log n). Equal hashes keep
/// their order.
[[nodiscard]] std::vector<std::uint32_t> champ_order(std::span<const std::int64_t> indices);

}  // namespace elapid::elle
