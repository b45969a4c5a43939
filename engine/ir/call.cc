#include "engine/ir/call.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace elapid {

namespace {

constexpr std::int8_t kText = 2;  // a quote or a backslash: what follows means something else

/// How much deeper a byte leads, or kText.
constexpr std::array<std::int8_t, 256> kDeeper = [] {
  std::array<std::int8_t, 256> deeper = {};
  deeper['('] = deeper['['] = deeper['{'] = 1;
  deeper[')'] = deeper[']'] = deeper['}'] = -1;
  deeper['"'] = deeper['\\'] = kText;
  return deeper;
}();

int deeper_by(char c) {
  return kDeeper[static_cast<unsigned char>(c)];
}

}  // namespace

bool FormCursor::enter(char opening) {
  const bool is_there = at_ < text_.size() && text_[at_] == opening;
  at_ += is_there ? 1U : 0U;
  return is_there;
}

bool FormCursor::leave() {
  if (!is_at_end()) {
    return false;
  }
  at_ += at_ < text_.size() ? 1U : 0U;
  skip_blank();
  return true;
}

std::string_view FormCursor::next() {
  if (is_at_end()) {
    return {};
  }
  const std::size_t begin = at_;
  while (is_at_tag()) {
    skip_token();
    skip_blank();
  }
  skip_token();
  const std::string_view form = text_.substr(begin, at_ - begin);
  skip_blank();
  return form;
}

bool FormCursor::is_at_end() const {
  return at_ >= text_.size() || deeper_by(text_[at_]) == -1;
}

/// `#inst`, which belongs to the form behind it; neither `#{1}` nor `##NaN`.
bool FormCursor::is_at_tag() const {
  return at_ + 1 < text_.size() && text_[at_] == '#' && text_[at_ + 1] != '{' &&
         text_[at_ + 1] != '#';
}

/// Skips to the blank or bracket that ends the token; brackets within it are part of it.
void FormCursor::skip_token() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const int deeper = deeper_by(c);
    if (c == ' ' || deeper == -1) {
      return;
    }
    if (deeper == kText) {
      skip_text();
    } else if (deeper == 1) {
      skip_nested();
    } else {
      ++at_;
    }
  }
}

/// Skips from an opening bracket to behind its closing one.
void FormCursor::skip_nested() {
  int depth = 0;
  while (at_ < text_.size()) {
    const int deeper = deeper_by(text_[at_]);
    if (deeper == kText) {
      skip_text();
      continue;
    }
    depth += deeper;
    ++at_;
    if (depth == 0) {
      return;
    }
  }
}

/// A string, or a character such as \[, which opens nothing.
void FormCursor::skip_text() {
  if (text_[at_] == '"') {
    skip_string();
  } else {
    at_ += 2;
  }
}

void FormCursor::skip_string() {
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    at_ += text_[at_] == '\\' ? 1U : 0U;
  }
  ++at_;
}

std::optional<FormCursor> inside(std::string_view text) {
  const std::size_t opening = text.starts_with("#{") ? 1 : 0;
  constexpr std::string_view kOpenings = "([{";
  if (text.size() <= opening || kOpenings.find(text[opening]) == std::string_view::npos) {
    return std::nullopt;
  }
  return FormCursor(text.substr(opening + 1));
}

std::optional<std::vector<std::string_view>> elements_of(std::string_view text) {
  std::optional<FormCursor> forms = inside(text);
  if (!forms) {
    return std::nullopt;
  }
  std::vector<std::string_view> elements;
  elements.reserve(4);
  while (!forms->leave()) {
    elements.push_back(forms->next());
  }
  return elements;
}

}  // namespace elapid
