#include "parsers/bytes/byte_source.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

namespace elapid {

Error malformed_at(std::uint64_t offset, std::string message) {
  return {.message = std::move(message), .byte_offset = offset};
}

Error too_long_at(std::uint64_t offset, const std::string& what, const LineLimit& limit) {
  const std::string hint = limit.words.empty() ? "" : " (see " + std::string(limit.words) + ")";
  return malformed_at(offset, "expected " + what + " of at most " + std::to_string(limit.bytes) +
                                  " bytes, found a longer one from byte " + std::to_string(offset) +
                                  " on" + hint);
}

LineColumn ByteSource::line_column(std::uint64_t offset) {
  if (offset < line_start_) {
    counted_to_ = 0;
    newlines_ = 0;
    line_start_ = 0;
  }
  std::array<char, 65536> chunk;
  while (counted_to_ < offset) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), offset - counted_to_));
    const Result<std::size_t> count = reread(counted_to_, std::span(chunk).first(wanted));
    if (!count || count.value() == 0) {
      break;  // a position is a courtesy: it covers what could be read
    }
    const char* const end = chunk.data() + count.value();
    for (const char* at = chunk.data(); at < end; ++at) {
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (at == nullptr) {
        break;
      }
      ++newlines_;
      line_start_ = counted_to_ + static_cast<std::uint64_t>(at - chunk.data()) + 1;
    }
    counted_to_ += count.value();
  }
  return {newlines_ + 1, std::max(offset, line_start_) - line_start_ + 1};
}

Error ByteSource::located(Error error) {
  error.file = name_;
  if (error.byte_offset) {
    const LineColumn position = line_column(*error.byte_offset);
    error.line = position.line;
    error.column = position.column;
  }
  return error;
}

namespace {

class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::string bytes)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)) {}

  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = bytes_.copy(into.data(), into.size(), next_);
    next_ += count;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    return offset < bytes_.size() ? bytes_.copy(into.data(), into.size(), offset) : 0;
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return bytes_.size(); }

  [[nodiscard]] std::uint64_t consumed() const override { return next_; }

 private:
  std::string bytes_;
  std::atomic<std::size_t> next_ = 0;  // atomic: another thread shows the progress
};

}  // namespace

std::unique_ptr<ByteSource> memory_source(std::string name, std::string bytes) {
  return std::make_unique<MemorySource>(std::move(name), std::move(bytes));
}

}  // namespace elapid
