// One JSON value with all its parts, kept flat: a node of 16 bytes a value or key, in the order of
// the source, and the texts beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elapid::json {

enum class Kind : std::uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };

class Document;

/// A value of a document, which must outlive it and not change. Elements of an array, and
/// alternating keys and values of an object, are visited like this:
///
///   for (Value element = array.begin(); element != array.end(); element = element.next())
///   for (Value key = object.begin(); key != object.end(); key = key.next().next())
class Value {
 public:
  Value(const Document& document, std::size_t node) : document_(&document), node_(node) {}

  [[nodiscard]] Kind kind() const;

  [[nodiscard]] bool is_array() const { return kind() == Kind::kArray; }

  [[nodiscard]] bool is_object() const { return kind() == Kind::kObject; }

  [[nodiscard]] bool is_string() const { return kind() == Kind::kString; }

  [[nodiscard]] bool is_null() const { return kind() == Kind::kNull; }

  /// A number as written, a string without quotes and escapes.
  [[nodiscard]] std::string_view text() const;
  /// The offset of its first byte in the input.
  [[nodiscard]] std::uint64_t offset() const;

  /// Requires an array or object.
  [[nodiscard]] Value begin() const { return {*document_, node_ + 1}; }

  /// The result of next() for the last part of an array or object.
  [[nodiscard]] Value end() const { return next(); }

  [[nodiscard]] Value next() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  const Document* document_;
  std::size_t node_;
};

/// Requires an object: the value of this key, the last one if there are several.
[[nodiscard]] std::optional<Value> find(Value object, std::string_view key);

/// For messages: "an array", "null", "`3`", "`\"x\"`"; one line, long texts
/// shortened.
[[nodiscard]] std::string describe(Value value);

class Document {
 public:
  /// Empties the document, and keeps its memory. The next addition begins at or after `offset`.
  void reset(std::uint64_t offset);
  void add(Kind kind, std::uint64_t offset, std::string_view text);
  void open(Kind kind, std::uint64_t offset);
  /// Ends the array or object opened last.
  void close();

  /// The number of open arrays and objects.
  [[nodiscard]] std::size_t depth() const { return open_.size(); }

  /// The outermost value. Requires that there is one.
  [[nodiscard]] Value root() const { return {*this, 0}; }

  /// A key that occurs twice in one object.
  [[nodiscard]] std::optional<Value> duplicate_key() const {
    return duplicate_key_ ? std::optional(Value(*this, *duplicate_key_)) : std::nullopt;
  }

 private:
  friend class Value;

  struct Node {
    Kind kind;
    std::uint32_t offset;  // from the document's
    std::uint32_t begin;   // of its text in texts_
    std::uint32_t size;    // of its text; the number of nodes inside an array or object
  };

  [[nodiscard]] std::size_t behind(std::size_t node) const;
  void find_duplicate(std::size_t object);

  std::uint64_t offset_ = 0;
  std::vector<Node> nodes_;
  std::string texts_;
  std::vector<std::uint32_t> open_;  // of arrays and objects
  std::vector<std::size_t> keys_;    // of one object, during the search for duplicates
  std::optional<std::size_t> duplicate_key_;
};

}  // namespace elapid::json
