#include "parsers/traces/line_cursor.h"

#include <charconv>
#include <system_error>

#include "parsers/bytes/byte_source.h"

namespace elapid {

namespace {

constexpr std::string_view kBlanks = " \t\v\f\r\n";

}  // namespace

std::string found_text(std::string_view rest, std::string_view at_end) {
  constexpr std::size_t kLongest = 20;
  if (rest.empty()) {
    return std::string(at_end);
  }
  if (kBlanks.find(rest.front()) != std::string_view::npos) {
    return rest.front() == '\n' || rest.front() == '\r' ? "the end of the line" : "a blank";
  }
  const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  std::string out(word.substr(0, kLongest));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return '`' + out + (word.size() > kLongest ? "...`" : "`");
}

Error expected_at(std::uint64_t offset, std::string_view what, std::string_view rest,
                  std::string_view at_end) {
  return malformed_at(offset,
                      "expected " + std::string(what) + ", found " + found_text(rest, at_end));
}

bool LineCursor::at_word_end() const {
  return at_end() || kBlanks.find(text_[at_]) != std::string_view::npos;
}

bool LineCursor::skip_blanks() {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  return at_ > begin;
}

bool LineCursor::take(std::string_view literal) {
  const bool is_here = text_.substr(at_).starts_with(literal);
  at_ += is_here ? literal.size() : 0;
  return is_here;
}

std::optional<std::string_view> LineCursor::until(char end) {
  const std::size_t found = text_.find(end, at_);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view passed = text_.substr(at_, found - at_);
  at_ = found;
  return passed;
}

template <class Number>
std::optional<Number> LineCursor::number() {
  Number n = 0;
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), n);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  at_ += static_cast<std::size_t>(end - begin);
  return n;
}

std::optional<std::uint64_t> LineCursor::natural() {
  return number<std::uint64_t>();
}

std::optional<std::int64_t> LineCursor::integer() {
  return number<std::int64_t>();
}

}  // namespace elapid
