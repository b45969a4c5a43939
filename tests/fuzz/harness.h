// What every fuzz harness offers: libFuzzer calls it with mutated inputs, replay_main.cc with the
// files of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>

// The name is libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
