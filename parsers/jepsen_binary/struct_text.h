// The structures that Jepsen adds to Fressian, as EDN.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "parsers/fressian/decoder.h"

namespace elapid::jepsen_binary {

/// The structure of an operation: index, time, type, process, f, value, and a map of further keys.
inline constexpr std::string_view kOpTag = "jepsen.history.Op";
inline constexpr std::size_t kOpParts = 7;

/// `jepsen.history.Op` becomes an operation map with its further keys, `map-entry` a vector of
/// two, a set EDN's form of it; for others see the .cc. An unlisted structure stays a tagged
/// literal.
class JepsenStructText : public fressian::StructText {
 public:
  bool append(std::string_view tag, std::span<const fressian::Component> components,
              std::string& out) override;

  /// Whether the value of the last operation since forget() was a key and a value of
  /// jepsen.independent.
  [[nodiscard]] bool is_tuple() const { return is_tuple_; }

  void forget() { is_tuple_ = false; }

 private:
  bool append_op(std::span<const fressian::Component> components, std::string& out);

  bool is_tuple_ = false;
};

}  // namespace elapid::jepsen_binary
