#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/elle_json/edn_text.h"
#include "parsers/elle_json/json_format.h"
#include "parsers/json/input.h"
#include "parsers/json/value_parser.h"

namespace elapid {

using json::Value;

namespace {

/// Whether the history itself keeps the value of this key.
bool is_kept_name(std::string_view key) {
  constexpr std::array<std::string_view, 5> kKept = {"index", "time", "type", "process", "value"};
  return std::find(kKept.begin(), kKept.end(), key) != kKept.end();
}

/// Sets the value of a key. A repeated key keeps its first place.
void set(EventDetails& details, std::string_view key, std::string text) {
  if (key == "f") {
    details.f = std::move(text);
    return;
  }
  std::string name = ":" + std::string(key);
  const auto known = std::find_if(details.extras.begin(), details.extras.end(),
                                  [&name](const auto& extra) { return extra.first == name; });
  if (known == details.extras.end()) {
    details.extras.emplace_back(std::move(name), std::move(text));
  } else {
    known->second = std::move(text);
  }
}

EventDetails details_of(Value object, bool with_value) {
  EventDetails details{.f = "nil"};
  for (Value key = object.begin(); key != object.end(); key = key.next().next()) {
    if (is_kept_name(key.text())) {
      if (with_value && key.text() == "value") {
        details.value.clear();
        if (!append_edn(key.next(), edn::TextStyle::kCanonical, details.value).ok()) {
          details.value.clear();
        }
      }
      if (key.text() == "index" && key.next().kind() == json::Kind::kNumber) {
        details.index = std::string(key.next().text());
      }
      continue;
    }
    std::string text;
    if (!append_edn_of_key(key.text(), key.next(), edn::TextStyle::kPrinted, text).ok()) {
      text = "...";
    }
    set(details, key.text(), std::move(text));
  }
  return details;
}

Result<EventDetails> read_details(ByteSource& source, std::uint64_t offset, bool with_value) {
  json::Input input(source, offset);
  json::Document document;
  ELAPID_RETURN_IF_ERROR(parse_value(input, document));
  if (!document.root().is_object()) {
    return Error{.message = "expected an operation object, found " + describe(document.root()),
                 .byte_offset = offset};
  }
  return details_of(document.root(), with_value);
}

}  // namespace

Result<EventDetails> read_json_event_details(ByteSource& source, std::uint64_t offset,
                                             bool with_value) {
  Result<EventDetails> details = read_details(source, offset, with_value);
  return details ? std::move(details) : source.located(std::move(details.error()));
}

}  // namespace elapid
