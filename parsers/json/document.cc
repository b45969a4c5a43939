#include "parsers/json/document.h"

#include <algorithm>
#include <utility>

namespace elapid::json {

namespace {

/// The beginning of a text, for a one-line message.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) {
      --end;  // not inside a code point
    }
    out.resize(end);
    out += "...";
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  std::replace_if(out.begin(), out.end(), is_control, '?');
  return out;
}

}  // namespace

Kind Value::kind() const {
  return document_->nodes_[node_].kind;
}

std::string_view Value::text() const {
  const Document::Node& node = document_->nodes_[node_];
  return std::string_view(document_->texts_).substr(node.begin, node.size);
}

std::uint64_t Value::offset() const {
  return document_->offset_ + document_->nodes_[node_].offset;
}

Value Value::next() const {
  return {*document_, document_->behind(node_)};
}

std::optional<Value> find(Value object, std::string_view key) {
  std::optional<Value> found;
  for (Value entry = object.begin(); entry != object.end(); entry = entry.next().next()) {
    if (entry.text() == key) {
      found = entry.next();
    }
  }
  return found;
}

std::string describe(Value value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "null";
    case Kind::kTrue:
      return "true";
    case Kind::kFalse:
      return "false";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
    case Kind::kNumber:
      return '`' + shortened(value.text()) + '`';
    default:
      return "`\"" + shortened(value.text()) + "\"`";
  }
}

void Document::reset(std::uint64_t offset) {
  offset_ = offset;
  nodes_.clear();
  texts_.clear();
  open_.clear();
  duplicate_key_.reset();
}

void Document::add(Kind kind, std::uint64_t offset, std::string_view text) {
  nodes_.push_back({kind, static_cast<std::uint32_t>(offset - offset_),
                    static_cast<std::uint32_t>(texts_.size()),
                    static_cast<std::uint32_t>(text.size())});
  texts_ += text;
}

void Document::open(Kind kind, std::uint64_t offset) {
  open_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  add(kind, offset, {});
}

std::size_t Document::behind(std::size_t node) const {
  const Kind kind = nodes_[node].kind;
  const bool is_leaf = kind != Kind::kArray && kind != Kind::kObject;
  return node + 1 + (is_leaf ? 0 : nodes_[node].size);
}

void Document::close() {
  const std::uint32_t node = open_.back();
  open_.pop_back();
  nodes_[node].size = static_cast<std::uint32_t>(nodes_.size()) - node - 1;
  if (nodes_[node].kind == Kind::kObject && !duplicate_key_) {
    find_duplicate(node);
  }
}

void Document::find_duplicate(std::size_t object) {
  const auto text = [this](std::size_t node) { return Value(*this, node).text(); };
  keys_.clear();
  for (std::size_t key = object + 1; key < nodes_.size(); key = behind(behind(key))) {
    keys_.push_back(key);
  }
  std::sort(keys_.begin(), keys_.end(), [&text](std::size_t a, std::size_t b) {
    return std::pair(text(a), a) < std::pair(text(b), b);
  });
  const auto twice =
      std::adjacent_find(keys_.begin(), keys_.end(),
                         [&text](std::size_t a, std::size_t b) { return text(a) == text(b); });
  if (twice != keys_.end()) {
    duplicate_key_ = twice[1];
  }
}

}  // namespace elapid::json
