#include "parsers/jepsen_binary/struct_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

#include "parsers/edn/instant.h"
#include "parsers/edn/utf8.h"
#include "parsers/fressian/name_text.h"

namespace elapid::jepsen_binary {

using fressian::Component;

namespace {

using Components = std::span<const Component>;

constexpr std::string_view kMapEntry = "map-entry";

/// Appends a list in a set's brackets. An empty set is nil.
bool append_set(Components components, std::string& out) {
  const std::string_view list = components[0].text;
  if (list != "nil" && !list.starts_with('[')) {
    return false;
  }
  out += "#{";
  out += list == "nil" ? "" : list.substr(1, list.size() - 2);
  out += '}';
  return true;
}

bool append_map_entry(Components components, std::string& out) {
  out += '[';
  out += components[0].text;
  out += ' ';
  out += components[1].text;
  out += ']';
  return true;
}

bool append_itself(Components components, std::string& out) {
  out += components[0].text;
  return true;
}

/// Appends an instant. EDN has milliseconds.
bool append_instant(Components components, std::string& out) {
  const std::string_view token = components[0].text;
  std::string instant;
  if (!token.starts_with('"') || !edn::append_instant(token.substr(1, token.size() - 2), instant)) {
    return false;
  }
  out += "#inst \"" + instant + '"';
  return true;
}

/// Appends a character by its code, which readers mistake for nothing else.
bool append_character(Components components, std::string& out) {
  const std::string_view text = components[0].text;
  std::uint32_t code = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), code);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || code > 0xffff ||
      edn::is_surrogate(code)) {
    return false;
  }
  std::array<char, 8> escape;
  const int length = std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
  out.append(escape.data(), static_cast<std::size_t>(length));
  return true;
}

/// The digits of an integer, without the mark of a big one; empty for other text.
std::string_view digits_of(std::string_view integer) {
  integer.remove_suffix(integer.ends_with('N') ? 1 : 0);
  std::string_view digits = integer;
  digits.remove_prefix(digits.starts_with('-') ? 1 : 0);
  const bool is_integer = digits.find_first_not_of("0123456789") == std::string_view::npos;
  return is_integer && !digits.empty() ? integer : std::string_view();
}

bool append_ratio(Components components, std::string& out) {
  constexpr std::size_t kMaxDigits = 4096;
  const std::string_view numerator = digits_of(components[0].text);
  const std::string_view denominator = digits_of(components[1].text);
  if (numerator.empty() || denominator.empty() || denominator.front() == '-' ||
      denominator == "0" || numerator.size() + denominator.size() > kMaxDigits) {
    return false;
  }
  out += numerator;
  out += '/';
  out += denominator;
  return true;
}

/// Appends a record: its class, if that can be a tag, and its fields.
bool append_record(Components components, std::string& out) {
  const std::string_view type = components[0].text;
  if (!fressian::is_tag(type)) {
    return false;
  }
  out += '#';
  out += type;
  out += ' ';
  out += components[1].text;
  return true;
}

bool append_name(fressian::NameKind kind, Components components, std::string& out) {
  const std::string_view space = components[0].text;
  const std::string_view name = components[1].text;
  if ((space != "nil" && !space.starts_with('"')) || !name.starts_with('"')) {
    return false;
  }
  fressian::append_name(kind, space, name, out);
  return true;
}

bool append_keyword(Components components, std::string& out) {
  return append_name(fressian::NameKind::kKeyword, components, out);
}

bool append_symbol(Components components, std::string& out) {
  return append_name(fressian::NameKind::kSymbol, components, out);
}

struct KnownStruct {
  std::string_view tag;
  std::size_t count;
  bool (*append)(Components, std::string&);
};

constexpr std::array kKnownStructs = {KnownStruct{"persistent-hash-set", 1, append_set},
                                      KnownStruct{"persistent-sorted-set", 1, append_set},
                                      KnownStruct{kMapEntry, 2, append_map_entry},
                                      KnownStruct{"byte", 1, append_itself},
                                      KnownStruct{"vec", 1, append_itself},
                                      KnownStruct{"instant", 1, append_instant},
                                      KnownStruct{"char", 1, append_character},
                                      KnownStruct{"ratio", 2, append_ratio},
                                      KnownStruct{"record", 2, append_record},
                                      KnownStruct{"key", 2, append_keyword},
                                      KnownStruct{"sym", 2, append_symbol}};

}  // namespace

bool JepsenStructText::append(std::string_view tag, Components components, std::string& out) {
  if (tag == kOpTag) {
    return append_op(components, out);
  }
  const auto known = std::find_if(
      kKnownStructs.begin(), kKnownStructs.end(),
      [&](const KnownStruct& k) { return k.tag == tag && k.count == components.size(); });
  return known != kKnownStructs.end() && known->append(components, out);
}

bool JepsenStructText::append_op(Components components, std::string& out) {
  constexpr std::array<std::string_view, kOpParts - 1> kKeys = {
      "{:index ", ", :time ", ", :type ", ", :process ", ", :f ", ", :value "};
  if (components.size() != kOpParts) {
    return false;
  }
  const std::string_view extras = components.back().text;
  const bool has_extras = extras.starts_with('{') && extras.size() > 2;
  if (!has_extras && extras != "nil" && extras != "{}") {
    return false;
  }
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    out += kKeys[i];
    out += components[i].text;
  }
  out += has_extras ? ", " : "";
  out += has_extras ? extras.substr(1) : "}";
  is_tuple_ = components[kKeys.size() - 1].tag == kMapEntry;
  return true;
}

}  // namespace elapid::jepsen_binary
