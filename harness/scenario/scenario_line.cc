#include "harness/scenario/scenario_line.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/token.h"

namespace elapid {
namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

}  // namespace

ScenarioLine ScenarioLine::at(std::uint64_t bytes) const {
  ScenarioLine line = *this;
  line.at_ = std::min(line.at_ + static_cast<std::size_t>(bytes), text_.size());
  return line;
}

std::string_view ScenarioLine::rest() const {
  const std::string_view rest = text_.substr(at_);
  const std::size_t last = rest.find_last_not_of(kBlanks);
  return last == std::string_view::npos ? std::string_view() : rest.substr(0, last + 1);
}

void ScenarioLine::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

std::string_view ScenarioLine::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_word(text_[at_])) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

bool ScenarioLine::take(char c) {
  const bool is_next = at_ < text_.size() && text_[at_] == c;
  at_ += is_next ? 1 : 0;
  return is_next;
}

bool ScenarioLine::number(std::int64_t& into) {
  skip_blanks();
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), into);
  at_ += static_cast<std::size_t>(end - begin);
  return error == std::errc();
}

Status ScenarioLine::end() {
  skip_blanks();
  return is_done() ? Status() : error("the end of the line");
}

Status ScenarioLine::error(std::string_view expected) const {
  ScenarioLine found = *this;
  found.skip_blanks();
  const std::string_view rest = found.rest();
  return error_of(
      "expected " + std::string(expected) + ", found " +
      (rest.empty() ? std::string("the end of the line") : edn::in_quotes(rest.substr(0, 100))));
}

Error ScenarioLine::error_of(std::string message) const {
  return {.kind = ErrorKind::kMalformed,
          .message = std::move(message),
          .file = std::string(file_),
          .line = number_,
          .column = at_ + 1};
}

Result<std::string> read_text_file(const std::string& path, std::string_view what) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, open_source(path));
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::string text(kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    ELAPID_ASSIGN_OR_RETURN(const std::size_t read, source->read(std::span(text).subspan(size)));
    if (read == 0) {
      break;
    }
    size += read;
  }
  if (size > kMostBytes) {
    return Error{.message = "expected " + std::string(what) + " of at most 1 MiB, found more",
                 .file = path};
  }
  text.resize(size);
  return text;
}

}  // namespace elapid
