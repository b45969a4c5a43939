#include "adapter/elle/document_writer.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <iterator>

#include "engine/ir/json_string.h"
#include "engine/ir/utf8.h"

namespace elapid {
namespace {

using Brackets = std::array<std::string_view, 2>;

/// Brackets by Container. JSON has neither lists nor sets.
constexpr std::array<Brackets, 4> kBrackets = {{{"{", "}"}, {"[", "]"}, {"(", ")"}, {"#{", "}"}}};

const Brackets& brackets(Container container, bool json) {
  const bool is_array = json && container != Container::kMap;
  return kBrackets.at(static_cast<std::size_t>(is_array ? Container::kVector : container));
}

void append_edn_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : as_utf8(text)) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') {
        out += '\\';
      }
      out += c;
    }
  }
  out += '"';
}

}  // namespace

bool DocumentWriter::begin_item() {
  if (open_.empty()) {
    return false;
  }
  Frame& frame = open_.back();
  const bool map = frame.container == Container::kMap;
  const std::size_t place = frame.items++;
  if (map && place % 2 == 1) {
    out_ += json() ? ": " : " ";
    return false;
  }
  if (place > 0) {
    if (json() || (map && frame.indent == 0)) {
      out_ += ',';
    }
    out_ += frame.indent == 0 ? ' ' : '\n';
    out_.append(frame.indent, ' ');
  }
  return map;
}

void DocumentWriter::open(Container container, std::size_t indent) {
  begin_item();
  out_ += brackets(container, json())[0];
  open_.push_back(Frame{.container = container, .indent = indent});
}

void DocumentWriter::close() {
  assert(!open_.empty());
  out_ += brackets(open_.back().container, json())[1];
  open_.pop_back();
}

void DocumentWriter::rewind(Mark mark) {
  assert(open_.back().container != Container::kMap);
  out_.resize(mark.bytes);
  open_.back().items = mark.items;
}

DocumentWriter& DocumentWriter::key(std::string_view name) {
  keyword(name);
  return *this;
}

void DocumentWriter::keyword(std::string_view name) {
  const bool is_key = begin_item();
  [[maybe_unused]] const bool is_new = !is_key || open_.back().keywords.emplace(name).second;
  assert(is_new);
  if (json() && is_key) {
    open_.back().json_keys.append(":" + std::string(name), out_);
  } else if (json()) {
    append_json_string(name, out_);
  } else {
    out_ += ':';
    out_ += name;
  }
}

void DocumentWriter::string(std::string_view text) {
  begin_item();
  if (json()) {
    append_json_string(text, out_);
  } else {
    append_edn_string(text, out_);
  }
}

void DocumentWriter::number(std::int64_t n) {
  if (begin_item() && json()) {
    open_.back().json_keys.append(fmt::to_string(n), out_);
  } else {
    fmt::format_to(std::back_inserter(out_), "{}", n);
  }
}

void DocumentWriter::boolean(bool truth) {
  begin_item();
  out_ += truth ? "true" : "false";
}

void DocumentWriter::nil() {
  begin_item();
  out_ += json() ? "null" : "nil";
}

void DocumentWriter::form(std::string_view edn) {
  const bool is_key = begin_item();
  if (!json()) {
    out_ += edn;
  } else if (is_key) {
    open_.back().json_keys.append(edn, out_);
  } else {
    append_json_of_edn(edn, out_);
  }
}

}  // namespace elapid
