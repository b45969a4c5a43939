#include "parsers/jepsen_binary/file_bytes.h"

#include <algorithm>
#include <array>

namespace elapid::jepsen_binary {

Result<std::size_t> FileBytes::read_at(std::uint64_t offset, std::span<char> into) {
  Result<std::size_t> count = reread(offset, into);
  if (!count || count.value() == into.size() || is_read_) {
    return count;
  }
  if (Status status = read_to_end(); !status.ok()) {
    return std::move(status.error());
  }
  return reread(offset, into);
}

Result<std::string> FileBytes::read_at(std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  Result<std::size_t> count = read_at(offset, std::span(bytes));
  if (!count) {
    return std::move(count.error());
  }
  bytes.resize(count.value());
  return bytes;
}

Result<std::uint64_t> FileBytes::size() {
  std::array<char, 2> last;
  const std::uint64_t total = source_->total();
  if (!is_read_ && total > 0) {
    // A compressed source may report another size: then it does not end there.
    Result<std::size_t> count = reread(total - 1, last);
    if (!count) {
      return std::move(count.error());
    }
    if (count.value() == 1) {
      return total;
    }
  }
  if (Status status = read_to_end(); !status.ok()) {
    return std::move(status.error());
  }
  return size_;
}

Result<std::size_t> FileBytes::reread(std::uint64_t offset, std::span<char> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    Result<std::size_t> count = source_->reread(offset + filled, into.subspan(filled));
    if (!count) {
      return count;
    }
    if (count.value() == 0) {
      break;
    }
    filled += count.value();
  }
  return filled;
}

Status FileBytes::read_to_end() {
  if (is_read_) {
    return {};
  }
  if (Status status = source_->rewind(); !status.ok()) {
    return status;
  }
  std::array<char, 65536> chunk;
  std::size_t count = 0;
  do {
    Result<std::size_t> got = source_->read(chunk);
    if (!got) {
      return std::move(got.error());
    }
    count = got.value();
    size_ += count;
  } while (count > 0);
  is_read_ = true;
  return {};
}

Result<std::size_t> FilePart::read(std::span<char> into) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end_ - next_));
  Result<std::size_t> count = bytes_.read_at(next_, into.first(wanted));
  next_ += count ? count.value() : 0;
  return count;
}

Result<std::size_t> FilePart::reread(std::uint64_t offset, std::span<char> into) {
  return bytes_.read_at(begin_ + offset, into);
}

Status FilePart::rewind() {
  next_ = begin_;
  return {};
}

}  // namespace elapid::jepsen_binary
