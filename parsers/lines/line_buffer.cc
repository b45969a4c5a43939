#include "parsers/lines/line_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace elapid {

std::span<char> LineBuffer::room(std::size_t size) {
  if (begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    lines_end_ = begin_ = 0;
  }
  if (bytes_.size() - end_ < size) {
    bytes_.resize(end_ + size);
  }
  return std::span(bytes_).subspan(end_, size);
}

void LineBuffer::add(std::size_t count) {
  const std::size_t from = end_;
  end_ += count;
  if (is_skipping_) {
    skip_to_newline();
  }
  const std::string_view fresh(bytes_.data() + from, end_ - from);
  if (const std::size_t last = fresh.rfind('\n'); last != std::string_view::npos) {
    lines_end_ = from + last + 1;
  }
  if (end_ - lines_end_ > longest_line_) {
    is_skipping_ = has_overflowed_ = true;
  }
}

/// Skips the last part of a long line. Nothing else is kept meanwhile.
void LineBuffer::skip_to_newline() {
  const std::string_view fresh(bytes_.data() + begin_, end_ - begin_);
  const std::size_t newline = fresh.find('\n');
  is_skipping_ = newline == std::string_view::npos;
  take_to(is_skipping_ ? end_ : begin_ + newline + 1);
}

std::string_view LineBuffer::take_lines() {
  return take_to(lines_end_);
}

std::string_view LineBuffer::take_rest() {
  return take_to(end_);
}

std::optional<std::uint64_t> LineBuffer::take_overflow() {
  if (!std::exchange(has_overflowed_, false)) {
    return std::nullopt;
  }
  const std::uint64_t offset = offset_;
  take_to(end_);
  return offset;
}

std::string_view LineBuffer::take_to(std::size_t end) {
  const std::string_view text(bytes_.data() + begin_, end - begin_);
  offset_ += text.size();
  begin_ = end;
  lines_end_ = std::max(lines_end_, end);
  return text;
}

}  // namespace elapid
