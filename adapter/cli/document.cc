#include "adapter/cli/document.h"

#include <fmt/format.h>

namespace elapid {
namespace {

std::string_view escape(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return {};
  }
}

// EDN strings may hold any other character as it is; JSON wants control characters escaped.
void append_quoted(std::string_view text, Output output, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (const std::string_view escaped = escape(c); !escaped.empty()) {
      out += escaped;
    } else if (output == Output::kJson && static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_keyword(std::string_view name, Output output, std::string& out) {
  if (output == Output::kEdn) {
    out += ':';
    out += name;
  } else {
    append_quoted(name, output, out);
  }
}

/// Calls the function that takes the alternative held.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

std::optional<Output> find_output(std::string_view name) {
  if (name == "text") {
    return Output::kText;
  }
  if (name == "edn") {
    return Output::kEdn;
  }
  return name == "json" ? std::optional(Output::kJson) : std::nullopt;
}

std::string Document::print(Output output) const {
  std::string out;
  append(output, out);
  return out;
}

void Document::append(Output output, std::string& out) const {
  const bool edn = output == Output::kEdn;
  const auto list = [&](const List& items) {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      out += i == 0 ? "" : edn ? " " : ", ";
      items[i].append(output, out);
    }
    out += ']';
  };
  const auto map = [&](const Map& entries) {
    out += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
      out += i == 0 ? "" : ", ";
      append_keyword(entries[i].first, output, out);
      out += edn ? " " : ": ";
      entries[i].second.append(output, out);
    }
    out += '}';
  };
  std::visit(Overloaded{[&](std::monostate) { out += edn ? "nil" : "null"; },
                        [&](bool value) { out += value ? "true" : "false"; },
                        [&](std::int64_t value) { out += std::to_string(value); },
                        [&](double value) { out += fmt::format("{}", value); },
                        [&](const Keyword& word) { append_keyword(word.name, output, out); },
                        [&](const Printed& printed) { out += printed.text; },
                        [&](const std::string& text) { append_quoted(text, output, out); }, list,
                        map},
             value_);
}

}  // namespace elapid
