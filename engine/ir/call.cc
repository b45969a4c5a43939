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

/// Splits canonical EDN, which has one blank between forms and none elsewhere.
class FormSplitter {
 public:
  /// `text` begins with the first form.
  explicit FormSplitter(std::string_view text) : text_(text) {}

  /// The next form; nothing at the bracket that closes them all.
  std::optional<std::string_view> next() {
    if (at_ >= text_.size() || deeper_by(text_[at_]) == -1) {
      return std::nullopt;
    }
    const std::size_t begin = at_;
    skip_form();
    const std::string_view form = text_.substr(begin, at_ - begin);
    at_ += at_ < text_.size() && text_[at_] == ' ' ? 1U : 0U;
    return form;
  }

 private:
  void skip_form() {
    const bool is_tag = text_[at_] == '#' && at_ + 1 < text_.size() && text_[at_ + 1] != '{';
    skip_token();
    if (is_tag && at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
      skip_form_after_tag();
    }
  }

  /// Tags may stand before tags.
  void skip_form_after_tag() {
    while (at_ + 1 < text_.size() && text_[at_] == '#' && text_[at_ + 1] != '{') {
      skip_token();
      ++at_;
    }
    skip_token();
  }

  /// Skips to the blank or bracket that ends the token; brackets within it are part of it.
  void skip_token() {
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
  void skip_nested() {
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
  void skip_text() {
    if (text_[at_] == '"') {
      skip_string();
    } else {
      at_ += 2;
    }
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      at_ += text_[at_] == '\\' ? 1U : 0U;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string_view>> elements_of(std::string_view text) {
  const std::size_t opening = text.starts_with("#{") ? 1 : 0;
  constexpr std::string_view kOpenings = "([{";
  if (text.size() <= opening || kOpenings.find(text[opening]) == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<std::string_view> elements;
  elements.reserve(4);
  FormSplitter forms(text.substr(opening + 1));
  while (const auto form = forms.next()) {
    elements.push_back(*form);
  }
  return elements;
}

}  // namespace elapid
