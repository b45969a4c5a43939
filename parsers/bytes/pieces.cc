#include "parsers/bytes/pieces.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parsers/bytes/digits.h"

namespace elapid {

bool PieceCutter::next(InputPiece& piece) {
  if (has_ended_) {
    return false;
  }
  piece.buffer_.resize(bytes_ + 1 + kWordPadding);  // allocates only the first time
  char* const bytes = piece.buffer_.get();
  std::memcpy(bytes, carried_.get(), carried_size_);
  std::size_t size = carried_size_;
  while (size < bytes_) {
    Result<std::size_t> count = source_.read({bytes + size, bytes_ - size});
    if (!count) {
      error_ = std::move(count.error());
    }
    if (!count || count.value() == 0) {
      has_ended_ = true;
      break;
    }
    size += count.value();
  }
  piece.size_ = size;
  is_at_end_ = has_ended_ && !error_;
  if (!is_at_end_) {
    const auto* const newline = static_cast<const char*>(::memrchr(bytes, '\n', size));
    piece.size_ = newline == nullptr ? 0 : static_cast<std::size_t>(newline - bytes) + 1;
  }
  has_ended_ |= piece.size_ == 0;
  piece.offset_ = offset_;
  offset_ += piece.size_;
  carried_size_ = size - piece.size_;
  std::memcpy(carried_.get(), bytes + piece.size_, carried_size_);
  std::memset(bytes + piece.size_, 0, 1 + kWordPadding);
  return piece.size_ > 0;
}

ResumedSource::ResumedSource(ByteSource& source, const PieceCutter& cutter, std::uint64_t offset)
    : ByteSource(source.name()),
      source_(source),
      next_(offset),
      passed_(cutter.offset_ + cutter.carried_size_),
      error_(cutter.error_) {
  set_line_limit(source.line_limit());
}

Result<std::size_t> ResumedSource::read(std::span<char> into) {
  if (next_ == passed_ && error_) {
    return *error_;
  }
  const bool was_passed = next_ < passed_;
  if (was_passed) {
    into = into.first(std::min<std::uint64_t>(into.size(), passed_ - next_));
  }
  Result<std::size_t> count = was_passed ? source_.reread(next_, into) : source_.read(into);
  next_ += count ? count.value() : 0;
  passed_ = std::max(next_, passed_);
  return count;
}

Result<std::size_t> ResumedSource::reread(std::uint64_t offset, std::span<char> into) {
  return source_.reread(offset, into);
}

}  // namespace elapid
