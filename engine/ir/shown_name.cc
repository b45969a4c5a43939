#include "engine/ir/shown_name.h"

#include <cstdint>

#include "engine/ir/seeded_hash.h"
#include "engine/ir/utf8.h"

namespace elapid {

std::string shown_name(std::string_view name) {
  if (name.size() <= kWholeName) {
    return std::string(name);
  }
  constexpr std::size_t kShown = 64;
  constexpr HashSeed kAlwaysTheSame = {.first = 0x243f6a8885a308d3U, .second = 0x13198a2e03707344U};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown(beginning_of(name, kShown));
  shown += "… (" + std::to_string(name.size()) + " bytes, hash ";
  const std::uint64_t hash = seeded_hash(name, kAlwaysTheSame);
  for (int shift = 60; shift >= 0; shift -= 4) {
    shown += kDigits[hash >> static_cast<unsigned>(shift) & 15U];
  }
  return shown + ')';
}

}  // namespace elapid
