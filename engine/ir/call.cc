#include "engine/ir/call.h"

#include <cstddef>

namespace elapid {

namespace {

/// Walks over canonical EDN: one blank between forms, none elsewhere.
class FormSplitter {
 public:
  /// `text` begins with the first form.
  explicit FormSplitter(std::string_view text) : text_(text) {}

  /// The next form; nothing at the bracket that closes them all.
  std::optional<std::string_view> next() {
    if (at_ >= text_.size() || is_closing(text_[at_])) {
      return std::nullopt;
    }
    const std::size_t begin = at_;
    skip_form();
    const std::string_view form = text_.substr(begin, at_ - begin);
    at_ += at_ < text_.size() && text_[at_] == ' ' ? 1U : 0U;
    return form;
  }

 private:
  static bool is_opening(char c) { return c == '(' || c == '[' || c == '{'; }

  static bool is_closing(char c) { return c == ')' || c == ']' || c == '}'; }

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

  /// Up to the blank or bracket that ends what stands here, brackets within it passed over.
  void skip_token() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (depth == 0 && (c == ' ' || is_closing(c))) {
        return;
      }
      if (c == '"') {
        skip_string();
        continue;
      }
      depth += is_opening(c) ? 1U : 0U;
      depth -= is_closing(c) ? 1U : 0U;
      at_ += c == '\\' ? 2 : 1;  // a character such as \[ opens nothing
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
  FormSplitter forms(text.substr(opening + 1));
  while (const auto form = forms.next()) {
    elements.push_back(*form);
  }
  return elements;
}

}  // namespace elapid
