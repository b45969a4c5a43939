// An input cut at line ends, for readers that parse its pieces in several threads.
//
// If a piece turns out not to be whole (a record continues in the next one, or is damaged), the
// reader goes on from its beginning with a ResumedSource, in one piece, as if without cuts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/growing_buffer.h"

namespace elapid {

/// Owned lines of an input in memory. A NUL and kWordPadding bytes follow.
class InputPiece {
 public:
  /// Large enough that the joined history seldom moves from one core to another, small enough that
  /// parsed data stays in the cache. Measured: 128 KiB cost a tenth more, 1 MiB the same.
  static constexpr std::size_t kBytes = std::size_t{1} << 19;

  /// Its place in the input, in bytes.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

  [[nodiscard]] std::string_view text() const { return {buffer_.get(), size_}; }

 private:
  friend class PieceCutter;

  /// Room for so many bytes, and what follows them.
  void make_room(std::size_t bytes);

  GrowingBuffer buffer_{1};
  std::size_t room_ = 0;
  std::size_t size_ = 0;
  std::uint64_t offset_ = 0;
};

/// A borrowed piece as an input of its own.
class PieceSource : public ByteSource {
 public:
  explicit PieceSource(const InputPiece& piece) : ByteSource({}), rest_(piece.text()) {}

  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

  /// Always at its end: a piece is read once.
  Result<std::size_t> reread(std::uint64_t /*offset*/, std::span<char> /*into*/) override {
    return std::size_t{0};
  }

  Status rewind() override { return {}; }

  [[nodiscard]] std::uint64_t total() const override { return 0; }

  [[nodiscard]] std::uint64_t consumed() const override { return 0; }

 private:
  std::string_view rest_;
};

/// Makes pieces of at most so many bytes. They depend on the input alone.
class PieceCutter {
 public:
  /// Borrows a source at its first byte. Tests ask for small pieces.
  explicit PieceCutter(ByteSource& source, std::size_t bytes = InputPiece::kBytes)
      : source_(source), bytes_(bytes) {}

  /// The next piece. False at the end of the input, before a line that is longer than a piece, and
  /// if the input cannot be read; then false for ever.
  bool next(InputPiece& piece);

  /// The offset of the next piece; if there is none, of the rest.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

  /// Whether the input ended with the last piece.
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }

 private:
  friend class ResumedSource;

  ByteSource& source_;
  std::size_t bytes_;
  GrowingBuffer carried_{1};  // the beginning of the next piece, read with the last one
  std::size_t carried_size_ = 0;
  std::uint64_t offset_ = 0;
  bool has_ended_ = false;
  bool is_at_end_ = false;
  std::optional<Error> error_;
};

/// The rest of an input that was cut, from some byte on. Borrows source and cutter.
class ResumedSource : public ByteSource {
 public:
  ResumedSource(ByteSource& source, const PieceCutter& cutter, std::uint64_t offset);

  Result<std::size_t> read(std::span<char> into) override;
  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override;

  /// Does nothing: a resumed source cannot start over.
  Status rewind() override { return {}; }

  [[nodiscard]] std::uint64_t total() const override { return source_.total(); }

  [[nodiscard]] std::uint64_t consumed() const override { return source_.consumed(); }

 private:
  ByteSource& source_;
  std::uint64_t next_;
  std::uint64_t passed_;  // bytes that the cutter has read
  std::optional<Error> error_;
};

}  // namespace elapid
