#include "parsers/bytes/pieces.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parsers/bytes/digits.h"

namespace elapid {

void InputPiece::make_room(std::size_t bytes) {
  if (bytes > room_) {
    buffer_.resize(bytes + 1 + kWordPadding);
    room_ = bytes;
  }
}

bool PieceCutter::next(InputPiece& piece) {
  constexpr std::size_t kSmallInput = std::size_t{1} << 16;  // needs no room for a whole piece
  if (has_ended_) {
    return false;
  }
  piece.make_room(std::min(bytes_, std::max(kSmallInput, carried_size_)));
  std::memcpy(piece.buffer_.get(), carried_.get(), carried_size_);
  std::size_t size = carried_size_;
  while (size < bytes_) {
    if (size == piece.room_) {
      piece.make_room(bytes_);
    }
    Result<std::size_t> count = source_.read({piece.buffer_.get() + size, piece.room_ - size});
    if (!count) {
      error_ = std::move(count.error());
    }
    if (!count || count.value() == 0) {
      has_ended_ = true;
      break;
    }
    size += count.value();
  }
  char* const bytes = piece.buffer_.get();
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
  carried_.resize(std::max<std::size_t>(1, carried_size_));
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
