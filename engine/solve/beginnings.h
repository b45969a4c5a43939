// The beginnings of a history, in which a violation is looked for before it is looked for in all.
#pragma once

#include <cstdint>

namespace elapid {

/// The numbers of transactions of the first beginning and of the last.
inline constexpr std::uint32_t kFirstBeginning = 64;
inline constexpr std::uint32_t kLastBeginning = 4'096;

}  // namespace elapid
