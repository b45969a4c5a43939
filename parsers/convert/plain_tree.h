// A value of any shape from a harness, for values that no PlainValue can express.
//
//   map({keyword("val"), number(1), keyword("sts"), number(100)})   {:val 1, :sts 100}
//   vector({number(7), vector({text("7_1"), nil()})})               [7 ["7_1" nil]]
//
// In JSON a keyword is a string, a set is an array, and a key of a map is always a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elapid {

class FastText;

struct PlainTree {
  enum class Kind : std::uint8_t { kNil, kTrue, kNumber, kKeyword, kText, kVector, kSet, kMap };

  Kind kind = Kind::kNil;
  std::int64_t integer = 0;           ///< of kNumber
  std::string word = {};              ///< of kKeyword, without its colon, and kText
  std::vector<PlainTree> parts = {};  ///< of kMap: key, value, key, value, ...

  static PlainTree nil() { return {}; }

  static PlainTree truth() { return {.kind = Kind::kTrue}; }

  static PlainTree number(std::int64_t n) { return {.kind = Kind::kNumber, .integer = n}; }

  static PlainTree keyword(std::string_view name) {
    return {.kind = Kind::kKeyword, .word = std::string(name)};
  }

  static PlainTree text(std::string_view text) {
    return {.kind = Kind::kText, .word = std::string(text)};
  }

  static PlainTree vector(std::vector<PlainTree> parts = {}) {
    return {.kind = Kind::kVector, .parts = std::move(parts)};
  }

  static PlainTree set(std::vector<PlainTree> parts = {}) {
    return {.kind = Kind::kSet, .parts = std::move(parts)};
  }

  static PlainTree map(std::vector<PlainTree> parts = {}) {
    return {.kind = Kind::kMap, .parts = std::move(parts)};
  }
};

/// A further key of an event: `:link 7`.
struct PlainField {
  std::string_view name;  ///< without its colon; static
  PlainTree value = {};
};

// Append the value's text. Linear.
void append_edn(const PlainTree& tree, FastText& out);
void append_json(const PlainTree& tree, FastText& out);

}  // namespace elapid
