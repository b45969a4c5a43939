// The decoder: bytes, dispatch, lists, caches and structures.
#include "parsers/fressian/decoder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "parsers/edn/value_text.h"
#include "parsers/fressian/codes.h"
#include "parsers/fressian/name_text.h"

namespace elapid::fressian {

namespace {

bool is_integer(std::uint8_t code) {
  return code < kPriorityCacheGet || code == kInt64 || code == kMinusOne;
}

bool is_list(std::uint8_t code) {
  return (code >= kShortList && code <= kOpenList) || (code >= kLongArray && code <= kObjectArray);
}

/// Whether the code is a mark that may stand between objects.
bool is_mark(std::uint8_t code) {
  return code == kResetCaches || code == kFooter;
}

void append_integer(std::int64_t value, std::string& out) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

std::string hex(std::uint8_t code) {
  std::string text(4, '\0');
  std::snprintf(text.data(), text.size() + 1, "0x%02x", unsigned{code});
  return text;
}

/// `#tag component`, `#tag [components]`, or `#struct ["tag" components]`.
void append_plain_struct(std::string_view tag, std::span<const Component> components,
                         std::string& out) {
  const bool is_named = is_tag(tag);
  const bool is_bare = is_named && components.size() == 1;
  std::string_view separator;
  if (is_named) {
    out += '#';
    out += tag;
    out += is_bare ? " " : " [";
  } else {
    out += "#struct [\"";
    out += tag;
    out += '"';
    separator = " ";
  }
  for (const Component& component : components) {
    out += std::exchange(separator, " ");
    out += component.text;
  }
  out += is_bare ? "" : "]";
}

}  // namespace

bool Decoder::has_more() {
  return !pass_marks() || window_.error() || !window_.at_end();
}

Status Decoder::append_value(std::string& out) {
  return status(append(out));
}

bool Decoder::skip_null() {
  const bool is_null = has_more() && window_.ahead(1).starts_with(static_cast<char>(kNull));
  window_.skip(is_null ? 1 : 0);
  return is_null;
}

Result<OpenList> Decoder::open_list() {
  OpenList list;
  std::uint8_t code = 0;
  bool is_open = take_code(code);
  if (is_open && !is_list(code)) {
    is_open = fail(code_offset_, "expected a list, found code " + hex(code));
  }
  if (is_open && begin_list(code, list)) {
    return list;
  }
  return *error_;
}

Result<OpenList> Decoder::open_map() {
  std::uint8_t code = 0;
  if (take_code(code) && code != kMap) {
    fail(code_offset_, "expected a map, found code " + hex(code));
  }
  return error_ ? Result<OpenList>(*error_) : open_list();
}

Result<bool> Decoder::next_item(OpenList& list) {
  bool more = false;
  if (has_item(list, more)) {
    return more;
  }
  return *error_;
}

bool Decoder::fail(std::uint64_t offset, std::string message) {
  if (!error_) {
    error_ = malformed_at(offset, std::move(message));
  }
  return false;
}

Status Decoder::status(bool is_read) {
  return is_read ? Status() : Status(*error_);
}

/// The next byte, which stays in the input.
bool Decoder::peek(std::uint8_t& code) {
  const std::string_view bytes = window_.ahead(1);
  if (error_ || bytes.empty()) {
    error_ = window_.error() ? window_.error() : error_;
    return fail(offset(), "expected a Fressian object, found the end of the data");
  }
  code = static_cast<std::uint8_t>(bytes.front());
  return true;
}

/// Skips `count` bytes, which remain valid until the window is used again.
bool Decoder::take(std::uint64_t count, std::string_view& bytes) {
  bytes = window_.ahead(count);
  if (error_ || bytes.size() < count) {
    error_ = window_.error() ? window_.error() : error_;
    return fail(offset(), "expected " + std::to_string(count) +
                              " further bytes, found the end of the data after " +
                              std::to_string(bytes.size()));
  }
  bytes = bytes.substr(0, count);
  window_.skip(count);
  return true;
}

/// Skips footers and resets of the caches.
bool Decoder::pass_marks() {
  while (!error_ && !window_.at_end()) {
    const auto code = static_cast<std::uint8_t>(window_.ahead(1).front());
    if (!is_mark(code)) {
      break;
    }
    code_offset_ = offset();
    window_.skip(1);
    if (code == kFooter && !take_footer()) {
      return false;
    }
    reset_caches();
  }
  return !error_;
}

bool Decoder::take_code(std::uint8_t& code) {
  const bool is_read = peek(code) && (!is_mark(code) || (pass_marks() && peek(code)));
  if (!is_read) {
    return false;
  }
  code_offset_ = offset();
  window_.skip(1);
  return true;
}

/// A footer: its code three more times, the length and a checksum.
bool Decoder::take_footer() {
  constexpr std::string_view kRestOfMark = "\xcf\xcf\xcf";
  constexpr std::size_t kLengthAndChecksum = 8;
  const std::uint64_t begin = code_offset_;
  std::string_view bytes;
  if (!take(kRestOfMark.size(), bytes)) {
    return false;
  }
  if (bytes != kRestOfMark) {
    return fail(begin, "expected a footer's mark of four bytes, found less of it");
  }
  return take(kLengthAndChecksum, bytes);
}

void Decoder::reset_caches() {
  values_.clear();
  first_type_ = types_.size();
}

bool Decoder::append(std::string& out) {
  std::uint8_t code = 0;
  return take_code(code) && append_coded(code, out);
}

bool Decoder::append_coded(std::uint8_t code, std::string& out) {
  last_type_.reset();
  if (out.size() > kMaxText) {
    return fail(code_offset_, "expected an object whose text is below 256 MiB, found a longer one");
  }
  if (is_integer(code)) {
    std::int64_t value = 0;
    const bool is_read = take_integer(code, value);
    append_integer(value, out);
    return is_read;
  }
  if (code >= kPriorityCacheGet && code < kPriorityCacheGet + kPriorityGets) {
    return append_cached(code_offset_, code - std::uint64_t{kPriorityCacheGet}, out);
  }
  const bool is_text = code >= kShortBytes && code <= kString;
  const bool is_scalar = code >= kTrue && code <= kDoubleOne;
  return is_text || is_scalar ? append_flat(code, out) : append_nested(code, out);
}

/// Appends an object that contains others. The depth of recursion is limited here.
bool Decoder::append_nested(std::uint8_t code, std::string& out) {
  if (depth_ == edn::kMaxFormDepth) {
    return fail(code_offset_, "expected an object with at most " +
                                  std::to_string(edn::kMaxFormDepth) + " levels, found more");
  }
  ++depth_;
  bool is_read = false;
  if (is_list(code)) {
    is_read = append_list(code, out);
  } else if (code >= kStructCacheGet && code < kStructCacheGet + kStructGets) {
    is_read = append_known_struct(code_offset_, code - std::uint64_t{kStructCacheGet}, out);
  } else {
    is_read = append_tagged(code, out);
  }
  --depth_;
  return is_read;
}

bool Decoder::append_tagged(std::uint8_t code, std::string& out) {
  const std::uint64_t begin = code_offset_;
  std::uint64_t place = 0;
  switch (code) {
    case kMap:
    case kSet:
      return append_braced(code, out);
    case kUuid:
      return append_uuid(out);
    case kRegex:
      return append_tagged_string("#regex ", out);
    case kUri:
      return append_tagged_string("#uri ", out);
    case kBigInteger:
      return append_big_integer(out);
    case kBigDecimal:
      return append_big_decimal(out);
    case kInstant:
      return append_instant(out);
    case kSymbol:
    case kKeyword:
      return append_name(code, out);
    case kPriorityCacheGetAt:
      return take_count(place) && append_cached(begin, place, out);
    case kPriorityCachePut:
      return append_and_cache(out);
    case kStruct:
      return append_new_struct(out);
    case kStructCacheGetAt:
      return take_count(place) && append_known_struct(begin, place, out);
    default:
      return fail(code_offset_, "expected the code of an object, found " + hex(code));
  }
}

bool Decoder::begin_list(std::uint8_t code, OpenList& list) {
  if (code == kClosedList || code == kOpenList) {
    list.ends_with_input = code == kOpenList;
    return true;
  }
  const bool is_short = code >= kShortList && code < kShortList + kShortLengths;
  std::uint64_t count = is_short ? code - std::uint64_t{kShortList} : 0;
  const bool is_read = is_short || take_count(count);
  list.left = count;
  return is_read;
}

bool Decoder::has_item(OpenList& list, bool& more) {
  more = list.left.value_or(0) > 0;
  if (list.left) {
    list.left = *list.left - (more ? 1 : 0);
    return true;
  }
  if (list.ends_with_input && window_.at_end() && !window_.error()) {
    return true;
  }
  std::uint8_t code = 0;
  if (!peek(code)) {
    return false;
  }
  more = code != kEndOfList;
  window_.skip(more ? 0 : 1);
  return true;
}

bool Decoder::append_list(std::uint8_t code, std::string& out) {
  OpenList list;
  std::uint64_t length = 0;
  bool more = false;
  if (!begin_list(code, list)) {
    return false;
  }
  out += '[';
  while (has_item(list, more) && more) {
    out += length++ == 0 ? "" : " ";
    if (!append(out)) {
      return false;
    }
  }
  out += ']';
  list_length_ = length;
  return !error_;
}

/// Appends a map or a set: the list that follows, in other brackets.
bool Decoder::append_braced(std::uint8_t code, std::string& out) {
  const std::size_t begin = out.size();
  const std::uint64_t offset = code_offset_;
  const bool is_map = code == kMap;
  if (!take_code(code) || !append_coded(code, out)) {
    return false;
  }
  if (out[begin] != '[') {
    return fail(offset, "expected a list in this map or set, found " +
                            edn::in_quotes(std::string_view(out).substr(begin)));
  }
  if (is_map && is_list(code) && list_length_ % 2 != 0) {
    return fail(offset, "expected a map with a value for each key, found a list of " +
                            std::to_string(list_length_));
  }
  out.replace(begin, 1, is_map ? "{" : "#{");
  out.back() = '}';
  return true;
}

bool Decoder::append_cached(std::uint64_t offset, std::uint64_t place, std::string& out) {
  if (place >= values_.size() || !values_[place]) {
    return fail(offset, "expected one of " + std::to_string(values_.size()) +
                            " cached objects that are whole, found a reference to " +
                            std::to_string(place));
  }
  out += *values_[place];
  return true;
}

/// Appends and caches an object. It takes its place in the cache before its parts.
bool Decoder::append_and_cache(std::string& out) {
  const std::uint64_t offset = code_offset_;
  const std::size_t place = values_.size();
  const std::size_t begin = out.size();
  values_.emplace_back();
  if (!append(out)) {
    return false;
  }
  values_bytes_ += out.size() - begin;
  if (values_bytes_ > kMaxText) {
    return fail(offset, "expected cached objects whose texts are below 256 MiB, found longer ones");
  }
  if (place < values_.size()) {  // no reset came meanwhile
    values_[place] = out.substr(begin);
  }
  return true;
}

bool Decoder::append_new_struct(std::string& out) {
  const std::uint64_t offset = code_offset_;
  std::string tag;
  StructType type;
  if (!append(tag) || !take_count(type.count)) {
    return false;
  }
  if (tag.front() != '"') {
    return fail(offset,
                "expected a string as the tag of a structure, found " + edn::in_quotes(tag));
  }
  type.tag = tag.substr(1, tag.size() - 2);
  types_.push_back(std::move(type));
  return append_struct(types_.size() - 1, out);
}

bool Decoder::append_known_struct(std::uint64_t offset, std::uint64_t place, std::string& out) {
  const std::size_t known = types_.size() - first_type_;
  if (place >= known) {
    return fail(offset, "expected one of " + std::to_string(known) +
                            " cached types of structures, found a reference to " +
                            std::to_string(place));
  }
  return append_struct(first_type_ + place, out);
}

/// Appends a structure. Its parts are written one after another and then replaced by the result.
bool Decoder::append_struct(std::size_t type, std::string& out) {
  struct Part {
    std::size_t begin;
    std::optional<std::size_t> type;
  };

  constexpr std::uint64_t kUsualParts = 8;
  const std::size_t begin = out.size();
  std::vector<Part> parts;
  parts.reserve(std::min(types_[type].count, kUsualParts));
  for (std::uint64_t left = types_[type].count; left > 0; --left) {
    const std::size_t part = out.size() - begin;
    if (!append(out)) {
      return false;
    }
    parts.push_back({part, last_type_});
  }
  const std::string texts = out.substr(begin);
  std::vector<Component> components;
  components.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? parts[i + 1].begin : texts.size();
    components.push_back(
        {std::string_view(texts).substr(parts[i].begin, end - parts[i].begin),
         parts[i].type ? std::string_view(types_[*parts[i].type].tag) : std::string_view()});
  }
  out.resize(begin);
  if (structs_ == nullptr || !structs_->append(types_[type].tag, components, out)) {
    append_plain_struct(types_[type].tag, components, out);
  }
  last_type_ = type;
  return true;
}

}  // namespace elapid::fressian
