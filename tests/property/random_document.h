// Random histories as files, of transactions or single operations: with keys and values of all
// types, writes of nil and 0, and a declared initial value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace elapid {

/// A history in EDN, and the options with which to read it.
struct Document {
  std::string edn = {};
  std::optional<std::string> initial = {};  ///< ReadOptions::initial
};

/// The same for the same seed, on every platform: a third each of lists, of registers, and of
/// single operations on one register.
[[nodiscard]] Document random_document(std::uint64_t seed);

}  // namespace elapid
