#include "engine/replay/state_hash.h"

#include <array>

namespace elapid::replay {

namespace {

constexpr std::array<std::uint64_t, 2> kRowSeeds = {0x243f6a8885a308d3U, 0x13198a2e03707344U};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15U + b;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  return x ^ (x >> 29);
}

}  // namespace

search::StateHash row_hash(KeyId row, const RowState& state, std::uint64_t what) {
  if (!state.is_alive && what == 0) {
    return {};
  }
  const auto content = [&](std::uint64_t seed) {
    seed = mixed(seed + row.value, what * 2 + (state.is_alive ? 1 : 0));
    seed = mixed(seed, state.version.bits());
    for (const rows::Field& field : state.record.fields()) {
      seed = mixed(seed, std::uint64_t{field.column.value} << 32 | field.value.bits());
    }
    return search::zobrist(seed);
  };
  return {content(kRowSeeds[0]).low, content(kRowSeeds[1]).high};
}

}  // namespace elapid::replay
