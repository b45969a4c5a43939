// The transactions that a state has accepted since its last checkpoint, in blocks of lines with
// checksums.
//
// The file begins with a line of fixed length, `#journal NUMBER ACCEPTED CHECKSUM`. Behind it each
// block is a line `#block BYTES CHECKSUM` and so many bytes of lines; a block's checksum goes on
// from that of the block before. Up to byte ACCEPTED the file is on the disk and complete: what is
// missing there is damage. What follows was cut short by a kill or a power cut. A last block with
// the line `#end` says that the journal of the next number goes on from here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapter/watch/appended_file.h"
#include "engine/ir/result.h"

namespace elapid {

class Journal {
 public:
  /// Bytes of the first line, and so of an empty journal.
  static constexpr std::uint64_t kHeaderSize = 54;

  /// Makes an empty one in place of what is there. On return the file is on the disk; the entry of
  /// its directory need not be. Error kUnreadable.
  static Result<Journal> create(const std::string& path, std::uint64_t number);

  /// Opens one, reads all of it, and cuts off what a kill has left unfinished. Error kUnreadable,
  /// also if it is damaged.
  static Result<Journal> open(const std::string& path, std::uint64_t number);

  /// Appends a block of whole lines; nothing if there are none. It outlives the process, and after
  /// sync() a power cut. Error kUnreadable.
  Status append(std::string_view lines);
  Status sync();

  /// Says that the journal of the next number goes on from here, which outlives a power cut.
  /// Nothing may be appended from then on. Error kUnreadable.
  Status end();

  [[nodiscard]] bool has_ended() const { return has_ended_; }

  [[nodiscard]] bool is_empty() const { return file_.size() == kHeaderSize; }

  /// Bytes, with those that say what the others are.
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }

  [[nodiscard]] const std::string& path() const { return file_.path(); }

  /// Whether a line of the file is one of the journal's own.
  static bool is_own_line(std::string_view line);

 private:
  Journal(AppendedFile file, std::uint64_t number);

  [[nodiscard]] std::string header() const;
  Status write_header();
  Status read_header();
  Status read_blocks();
  Result<bool> read_block(std::uint64_t& offset);

  AppendedFile file_;
  std::uint64_t number_;
  std::uint64_t accepted_ = kHeaderSize;  // what the header says
  std::uint64_t sum_;                     // of the last block
  bool has_ended_ = false;
};

}  // namespace elapid
