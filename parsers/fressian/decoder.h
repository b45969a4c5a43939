// Fressian objects as EDN text.
//
//   Window window(source);
//   Decoder decoder(window);
//   while (decoder.has_more()) {
//     std::string text;
//     if (Status status = decoder.append_value(text); !status.ok()) ...
//   }
//
// The format is that of org.fressian 0.6: https://github.com/Datomic/fressian/wiki. Objects without
// a form in EDN become tagged literals: `#bytes "00ff"`, `#regex "a+"`, `#uri "..."`; structures
// `#tag component` or `#tag [components]`. Maps and sets keep the order of the source; the text is
// canonical (engine/ir/value_pool.h) once edn::append_form has read it. A decoder has one pair of
// caches for its whole life.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/window.h"

namespace elapid::fressian {

/// A part of a structure.
struct Component {
  std::string_view text;
  std::string_view tag;  ///< of the part, if it is a structure; or empty
};

/// Writes the structures of an application in EDN.
class StructText {
 public:
  virtual ~StructText() = default;
  StructText(const StructText&) = delete;
  StructText& operator=(const StructText&) = delete;

  /// Appends a structure. False, without a change of `out`, if the structure has no special form.
  virtual bool append(std::string_view tag, std::span<const Component> components,
                      std::string& out) = 0;

 protected:
  StructText() = default;
};

/// The rest of a list that is read item by item.
struct OpenList {
  std::optional<std::uint64_t> left = {};  ///< absent: a code ends the list
  bool ends_with_input = false;
};

class Decoder {
 public:
  /// The longest text, and the most text in the caches; more is an error.
  static constexpr std::size_t kMaxText = std::size_t{1} << 28;

  /// Keeps references to both. `base`: the window's start in the input, for the offsets of errors.
  explicit Decoder(Window& window, std::uint64_t base = 0, StructText* structs = nullptr)
      : window_(window), base_(base), structs_(structs) {}

  /// Whether another object follows. Skips footers (without comparing their checksums) and resets
  /// of the caches. True if bytes cannot be read: append_value() then returns the error.
  bool has_more();

  /// Appends the next object. Error: kMalformed with a byte offset, or the error of reading the
  /// bytes. `out` then holds a part of the text, and the decoder must not be used further.
  Status append_value(std::string& out);

  /// Skips the next object if it is nil.
  bool skip_null();

  /// Steps into the next object, which must be a list, or a map: keys and values alternate.
  Result<OpenList> open_list();
  Result<OpenList> open_map();
  /// Whether a further item follows; append_value reads it.
  Result<bool> next_item(OpenList& list);

  /// The offset of the next byte in the input.
  [[nodiscard]] std::uint64_t offset() const { return base_ + window_.offset(); }

  // For callers that read some objects themselves: whole ones, without marks, and without what
  // changes the caches.

  /// As Window::ahead(); nothing after an error.
  std::string_view ahead(std::size_t count) {
    return error_ ? std::string_view() : window_.ahead(count);
  }

  /// Skips objects, `count` bytes long, which must be in ahead().
  void skip(std::size_t count) { window_.skip(count); }

  /// The text at a place of the priority cache; empty if there is no whole object.
  [[nodiscard]] std::string_view cached(std::size_t place) const {
    return place < values_.size() && values_[place] ? std::string_view(*values_[place])
                                                    : std::string_view();
  }

  /// Whether the struct cache has this type at a place.
  [[nodiscard]] bool is_cached_type(std::size_t place, std::string_view tag,
                                    std::uint64_t count) const {
    return place < types_.size() - first_type_ && types_[first_type_ + place].count == count &&
           types_[first_type_ + place].tag == tag;
  }

 private:
  struct StructType {
    std::string tag;
    std::uint64_t count = 0;
  };

  bool fail(std::uint64_t offset, std::string message);
  Status status(bool is_read);

  // Bytes.
  bool peek(std::uint8_t& code);
  bool take(std::uint64_t count, std::string_view& bytes);
  bool pass_marks();
  bool take_code(std::uint8_t& code);
  bool take_big_endian(std::size_t count, std::uint64_t& bits);
  bool take_integer(std::uint8_t code, std::int64_t& value);
  bool take_integer(std::int64_t& value);
  bool take_count(std::uint64_t& count);
  bool take_footer();
  bool take_counted(std::uint64_t count);
  bool take_chunks(std::uint8_t code, std::uint8_t chunk, std::uint8_t first_short);

  // Objects.
  bool append(std::string& out);
  bool append_coded(std::uint8_t code, std::string& out);
  bool append_flat(std::uint8_t code, std::string& out);
  bool append_nested(std::uint8_t code, std::string& out);
  bool append_tagged(std::uint8_t code, std::string& out);
  bool append_string(std::uint8_t code, std::string& out);
  bool append_bytes(std::uint8_t code, std::string& out);
  bool append_float(std::string& out);
  bool append_double(std::string& out);
  bool append_instant(std::string& out);
  bool append_name(std::uint8_t code, std::string& out);
  bool append_tagged_string(std::string_view tag, std::string& out);
  bool append_uuid(std::string& out);
  bool append_big_integer(std::string& out);
  bool append_big_decimal(std::string& out);
  bool take_bytes(std::string& bytes);
  bool take_big_digits(std::string& digits);

  // Lists, maps and sets.
  bool begin_list(std::uint8_t code, OpenList& list);
  bool has_item(OpenList& list, bool& more);
  bool append_list(std::uint8_t code, std::string& out);
  bool append_braced(std::uint8_t code, std::string& out);

  // Caches and structures.
  bool append_cached(std::uint64_t offset, std::uint64_t place, std::string& out);
  bool append_and_cache(std::string& out);
  bool append_new_struct(std::string& out);
  bool append_known_struct(std::uint64_t offset, std::uint64_t place, std::string& out);
  bool append_struct(std::size_t type, std::string& out);
  void reset_caches();

  Window& window_;
  std::uint64_t base_;
  StructText* structs_;
  std::vector<std::optional<std::string>> values_;  // the priority cache; absent: being read
  std::size_t values_bytes_ = 0;                    // bytes of all values that ever were in it
  std::vector<StructType> types_;                   // the struct cache, from first_type_ on
  std::size_t first_type_ = 0;
  std::optional<std::size_t> last_type_;  // of the object read last, if it was a structure
  std::size_t depth_ = 0;
  std::uint64_t code_offset_ = 0;  // of the code read last
  std::uint64_t list_length_ = 0;  // of the list read last
  std::string raw_;                // a string or bytes, its chunks joined
  std::optional<Error> error_;
};

}  // namespace elapid::fressian
