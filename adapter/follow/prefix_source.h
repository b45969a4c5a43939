// The beginning of an input that grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Reads bytes again, from an offset on.
using RereadBytes = std::function<Result<std::size_t>(std::uint64_t, std::span<char>)>;

/// Ends after `size` bytes, however many there are meanwhile.
class PrefixSource : public ByteSource {
 public:
  PrefixSource(std::string name, RereadBytes reread, std::uint64_t size)
      : ByteSource(std::move(name)), reread_(std::move(reread)), size_(size) {}

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = reread(next_, into);
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const std::uint64_t left = size_ - std::min(offset, size_);
    return reread_(offset, into.first(std::min<std::uint64_t>(into.size(), left)));
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return size_; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_; }

 private:
  RereadBytes reread_;
  std::uint64_t size_;
  std::uint64_t next_ = 0;
};

}  // namespace elapid
