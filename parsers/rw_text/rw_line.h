// The lines of the text formats of PolySI, Plume and IsoVista, syntax only:
//
//   w(541,7,38,0)     a write of 7 to key 541, by transaction 0 in session 38
//   r(541,7,12,-1)    only transactions may be negative
//
// There are no blanks, no empty lines and no comments; lines end with LF or CRLF, the last one
// perhaps with nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/window.h"
#include "parsers/bytes/word.h"

namespace elapid {

struct RwLine {
  bool is_write = false;
  std::int64_t key = 0;  ///< like value and session, not negative
  std::int64_t value = 0;
  std::int64_t session = 0;
  std::int64_t txn = 0;
  std::uint64_t offset = 0;  ///< of its first byte in the input
};

/// The end of a line, from behind its value on. Nine lines of ten end as the line before, where
/// transactions have ten operations.
class RwLineTail {
 public:
  /// True if the text at `at` begins with the tail; false if there is no tail. Requires 16 bytes
  /// that can be read.
  [[nodiscard]] bool matches(const char* at) const {
    const std::uint64_t differences =
        ((word_at(at) ^ words_[0]) & masks_[0]) | ((word_at(at + 8) ^ words_[1]) & masks_[1]);
    return differences == 0 && size_ > 0;
  }

  /// Takes `size` bytes as tail, or none if they are many or no newline ends them.
  void assign(const char* at, std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
  std::uint64_t words_[2] = {};
  std::uint64_t masks_[2] = {};  // of the bytes that count
};

class RwScanner {
 public:
  /// Reads `window`, which is borrowed, from where it stands.
  explicit RwScanner(Window& window) : window_(window) {}

  /// Reads the next line. False at the end of the input and after an error.
  bool next(RwLine& line);

  /// What breaks the text, at a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  bool next_of_last(RwLine& line);
  bool scan_usual(const char* text, RwLine& line);
  bool scan(const char* text, std::size_t size, RwLine& line);
  bool scan_tail(const char*& at, const char* limit, const char*& expected);
  bool fail(const char* text, std::size_t size, std::size_t at, const char* expected);

  Window& window_;
  std::uint64_t line_offset_ = 0;
  RwLineTail tail_;  // of the line before, and what it says
  std::int64_t session_ = 0;
  std::int64_t txn_ = 0;
  Status status_;
};

}  // namespace elapid
