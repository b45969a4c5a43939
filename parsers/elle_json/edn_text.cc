#include "parsers/elle_json/edn_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "parsers/edn/char_class.h"
#include "parsers/edn/value_text.h"

namespace elapid {

using json::Kind;
using json::Value;

namespace {

/// A key of an object with its value.
struct Entry {
  std::string_view key;
  Value value;
  std::size_t place;  // among the object's keys
};

/// The entries of an object, in the order of their keys or of the source. A repeated key keeps its
/// first place and its last value, as in a map that is built key by key.
std::vector<Entry> entries_of(Value object, edn::TextStyle style) {
  std::vector<Entry> entries;
  for (Value key = object.begin(); key != object.end(); key = key.next().next()) {
    entries.push_back({key.text(), key.next(), entries.size()});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
  std::vector<Entry> distinct;
  for (const Entry& entry : entries) {
    if (!distinct.empty() && distinct.back().key == entry.key) {
      distinct.back().value = entry.value;
    } else {
      distinct.push_back(entry);
    }
  }
  if (style == edn::TextStyle::kPrinted) {
    std::sort(distinct.begin(), distinct.end(),
              [](const Entry& a, const Entry& b) { return a.place < b.place; });
  }
  return distinct;
}

/// Whether the number surely fits into 64 bits.
bool is_short_integer(std::string_view number) {
  constexpr std::size_t kMostDigits = 18;
  const std::string_view digits = number.substr(number.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.size() <= kMostDigits && digits.front() != '0' &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether `:name` is a keyword in EDN.
bool is_keyword_name(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(),
                                       [](char c) { return edn::has_bit(c, edn::kEndsTokenBit); });
}

bool is_transaction(Value value) {
  return value.is_array() && value.begin() != value.end() && value.begin().is_array() &&
         value.begin().begin() != value.begin().end() && value.begin().begin().is_string();
}

class EdnWriter {
 public:
  EdnWriter(edn::TextStyle style, std::string& out) : style_(style), out_(out) {}

  /// Writes a value. Recursion is limited by edn::kMaxFormDepth.
  bool write(Value value) {
    switch (value.kind()) {
      case Kind::kNull:
        out_ += "nil";
        return true;
      case Kind::kTrue:
        out_ += "true";
        return true;
      case Kind::kFalse:
        out_ += "false";
        return true;
      case Kind::kNumber:
        append_edn_number(value.text(), style_, out_);
        return true;
      case Kind::kString:
        append_edn_string(value.text(), out_);
        return true;
      default:
        return write_nested(value);
    }
  }

  bool write_of_key(std::string_view key, Value value) {
    if (key == "type" || key == "f") {
      return write_keyword(value);
    }
    return key == "value" && is_transaction(value) ? write_transaction(value) : write(value);
  }

  /// The offset at which the nesting was too deep.
  [[nodiscard]] std::uint64_t too_deep() const { return too_deep_; }

 private:
  bool write_nested(Value value) {
    if (depth_ == edn::kMaxFormDepth) {
      too_deep_ = value.offset();
      return false;
    }
    ++depth_;
    const bool is_written =
        value.is_array() ? write_array(value, [this](Value element) { return write(element); })
                         : write_object(value);
    --depth_;
    return is_written;
  }

  template <class WriteElement>
  bool write_array(Value array, WriteElement write_element) {
    out_ += '[';
    std::string_view separator;
    for (Value element = array.begin(); element != array.end(); element = element.next()) {
      out_ += std::exchange(separator, " ");
      if (!write_element(element)) {
        return false;
      }
    }
    out_ += ']';
    return true;
  }

  bool write_object(Value object) {
    out_ += '{';
    const std::string_view comma = style_ == edn::TextStyle::kPrinted ? ", " : " ";
    std::string_view separator;
    for (const Entry& entry : entries_of(object, style_)) {
      out_ += std::exchange(separator, comma);
      if (is_keyword_name(entry.key)) {
        out_ += ':';
        out_ += entry.key;
      } else {
        append_edn_string(entry.key, out_);
      }
      out_ += ' ';
      if (!write_of_key(entry.key, entry.value)) {
        return false;
      }
    }
    out_ += '}';
    return true;
  }

  bool write_transaction(Value value) {
    return write_array(value,
                       [this](Value mop) { return mop.is_array() ? write_mop(mop) : write(mop); });
  }

  bool write_mop(Value mop) {
    return write_array(mop, [this, function = mop.begin()](Value element) {
      return element == function ? write_keyword(element) : write(element);
    });
  }

  /// Writes the name of a function or type. Anything else stays what it is, so that different
  /// values have different texts.
  bool write_keyword(Value value) {
    if (!value.is_string() || !is_keyword_name(value.text())) {
      return write(value);
    }
    out_ += ':';
    out_ += value.text();
    return true;
  }

  edn::TextStyle style_;
  std::string& out_;
  std::size_t depth_ = 0;
  std::uint64_t too_deep_ = 0;
};

Status status_of(bool is_written, const EdnWriter& writer) {
  if (is_written) {
    return {};
  }
  return Error{.message = "expected a value with at most " + std::to_string(edn::kMaxFormDepth) +
                          " levels, found more",
               .byte_offset = writer.too_deep()};
}

}  // namespace

Status append_edn(Value value, edn::TextStyle style, std::string& out) {
  EdnWriter writer(style, out);
  const bool is_written = writer.write(value);
  return status_of(is_written, writer);
}

Status append_edn_of_key(std::string_view key, Value value, edn::TextStyle style,
                         std::string& out) {
  EdnWriter writer(style, out);
  const bool is_written = writer.write_of_key(key, value);
  return status_of(is_written, writer);
}

void append_edn_number(std::string_view number, edn::TextStyle style, std::string& out) {
  if (is_short_integer(number)) {
    out += number;  // already in printed form
    return;
  }
  // Every JSON number is an EDN number.
  const edn::Number read = edn::classify_number(number);
  edn::append_number({.kind = read.kind, .text = number, .integer = read.integer}, style, out);
}

void append_edn_string(std::string_view text, std::string& out) {
  constexpr std::string_view kEscaped = "\"\\\n\t\r\f\b";
  constexpr std::string_view kLetters = "\"\\ntrfb";
  out += '"';
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of(kEscaped), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) {
      out += '\\';
      out += kLetters[kEscaped.find(text.front())];
      text.remove_prefix(1);
    }
  }
  out += '"';
}

}  // namespace elapid
