// Writes one tree of values as EDN or as JSON into a string, in one pass.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/json/json_of_edn.h"

namespace elapid {

enum class Syntax : std::uint8_t { kEdn, kJson };

/// EDN's collections. In JSON maps become objects, the others arrays.
enum class Container : std::uint8_t { kMap, kVector, kList, kSet };

/// Items are written in order; in a map keys and values alternate. The caller closes what it opens.
class DocumentWriter {
 public:
  explicit DocumentWriter(Syntax syntax) : syntax_(syntax) {}

  /// Begins a container. Each entry after the first goes on a line of its own, `indent` columns in;
  /// 0 keeps all entries on one line.
  void open(Container container, std::size_t indent = 0);
  void close();

  /// Writes a key of a map as a keyword, once a map. Returns the writer, for the value.
  DocumentWriter& key(std::string_view name);
  /// `name` has no leading colon.
  void keyword(std::string_view name);
  void string(std::string_view text);

  void integer(std::integral auto n) { number(static_cast<std::int64_t>(n)); }

  void boolean(bool truth);
  void nil();
  /// Writes any value, given as printed EDN.
  void form(std::string_view edn);

  /// A container with the output of `write` for each item.
  template <class Items, class Write>
  void each(Container container, const Items& items, Write write, std::size_t indent = 0) {
    open(container, indent);
    for (const auto& item : items) {
      write(item);
    }
    close();
  }

  /// A vector with the output of `write` for each item.
  template <class Items, class Write>
  void each(const Items& items, Write write) {
    each(Container::kVector, items, write);
  }

  template <class Items, class Write>
  void each(const Items& items, std::size_t indent, Write write) {
    each(Container::kVector, items, write, indent);
  }

  /// A vector of maps, each on one line: `write` writes the entries of one.
  template <class Items, class Write>
  void each_map(const Items& items, std::size_t indent, Write write) {
    each(items, indent, [&](const auto& item) {
      open(Container::kMap);
      write(item);
      close();
    });
  }

  template <class Items, class Write>
  void each_map(const Items& items, Write write) {
    each_map(items, 0, write);
  }

  /// A vector of texts.
  template <class Texts>
  void strings(const Texts& texts, std::size_t indent = 0) {
    each(texts, indent, [this](std::string_view text) { string(text); });
  }

  /// A place between two items of the container that is open.
  struct Mark {
    std::size_t bytes = 0;
    std::size_t items = 0;
  };

  [[nodiscard]] Mark mark() const { return {.bytes = out_.size(), .items = open_.back().items}; }

  /// Removes the items after the mark. The open container must be the mark's, and no
  /// map.
  void rewind(Mark mark);

  [[nodiscard]] std::size_t size() const { return out_.size(); }

  [[nodiscard]] bool json() const { return syntax_ == Syntax::kJson; }

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  struct Frame {
    Container container = Container::kMap;
    std::size_t indent = 0;
    std::size_t items = 0;
    JsonKeys json_keys = {};
    std::set<std::string> keywords = {};  // keys so far, to assert that they differ
  };

  void number(std::int64_t n);

  /// Writes the separator before the next item; true if the item is a key of a map.
  bool begin_item();

  Syntax syntax_;
  std::string out_;
  std::vector<Frame> open_;
};

}  // namespace elapid
