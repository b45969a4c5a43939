// The journal of a state: the transactions accepted since its last checkpoint, in blocks of lines
// with checksums.
//
// The file begins with a line of fixed length, `#journal NUMBER ACCEPTED CHECKSUM`. Each block
// behind it is a line `#block BYTES CHECKSUM` and BYTES bytes of lines. The checksum of a block
// continues that of the block before. Up to byte ACCEPTED the file is complete on the disk: a gap
// there is damage. Behind it, a kill or a power cut may have cut the file. A last block with the
// line `#end` says that the journal of the next number continues this one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapter/watch/appended_file.h"
#include "engine/ir/result.h"

namespace elapid {

class Journal {
 public:
  /// Bytes of the first line: the size of an empty journal.
  static constexpr std::uint64_t kHeaderSize = 54;

  /// Makes an empty journal, and overwrites an older file. On return the file is on the disk; its
  /// directory entry may not be. Error: kUnreadable.
  static Result<Journal> create(const std::string& path, std::uint64_t number);

  /// Opens a journal, reads all of it, and cuts off what a kill left unfinished. Error:
  /// kUnreadable, also for a damaged journal.
  static Result<Journal> open(const std::string& path, std::uint64_t number);

  /// Appends a block of whole lines, or nothing if there are none. The block survives a kill; after
  /// sync() it survives a power cut. Error: kUnreadable.
  Status append(std::string_view lines);
  Status sync();

  /// Writes that the journal of the next number continues this one; that survives a power cut.
  /// Nothing may be appended afterwards. Error: kUnreadable.
  Status end();

  [[nodiscard]] bool has_ended() const { return has_ended_; }

  [[nodiscard]] bool is_empty() const { return file_.size() == kHeaderSize; }

  /// Bytes of the file, with header and checksums.
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }

  [[nodiscard]] const std::string& path() const { return file_.path(); }

  /// Whether a line of the file belongs to the journal's format, and is no transaction.
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
  std::uint64_t accepted_ = kHeaderSize;  // as the header says
  std::uint64_t sum_;                     // of the last block
  bool has_ended_ = false;
};

}  // namespace elapid
