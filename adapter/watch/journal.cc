#include "adapter/watch/journal.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

#include "adapter/watch/checksum.h"
#include "adapter/watch/state_damage.h"

namespace elapid {

namespace {

constexpr std::string_view kJournalMark = "#journal ";
constexpr std::string_view kBlockMark = "#block ";
constexpr std::string_view kEnd = "#end\n";
constexpr std::size_t kSumDigits = 16;

struct BlockLine {
  std::size_t length = 0;  ///< of the line itself, with its newline
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;
};

std::string block_line(std::uint64_t bytes, std::uint64_t sum) {
  return fmt::format("{}{} {:016x}\n", kBlockMark, bytes, sum);
}

/// The block line at the start of `text`; nothing if there is none.
std::optional<BlockLine> parse_block_line(std::string_view text) {
  BlockLine block;
  if (!text.starts_with(kBlockMark)) {
    return std::nullopt;
  }
  const char* const end = text.data() + text.size();
  const auto size = std::from_chars(text.data() + kBlockMark.size(), end, block.bytes);
  if (size.ec != std::errc() || static_cast<std::size_t>(end - size.ptr) < kSumDigits + 2) {
    return std::nullopt;
  }
  (void)std::from_chars(size.ptr + 1, size.ptr + 1 + kSumDigits, block.sum, 16);
  const std::string expected = block_line(block.bytes, block.sum);
  block.length = expected.size();
  return text.starts_with(expected) ? std::optional(block) : std::nullopt;
}

}  // namespace

Journal::Journal(AppendedFile file, std::uint64_t number)
    : file_(std::move(file)), number_(number), sum_(checksum(kJournalMark, number)) {}

Result<Journal> Journal::create(const std::string& path, std::uint64_t number) {
  ELAPID_ASSIGN_OR_RETURN(auto file, AppendedFile::open(path));
  Journal journal(std::move(file), number);
  Status status = journal.file_.truncate(0);
  status = status.ok() ? journal.file_.append(journal.header()) : status;
  status = status.ok() ? journal.file_.sync() : status;
  return status.ok() ? Result<Journal>(std::move(journal)) : Result<Journal>(status.error());
}

Result<Journal> Journal::open(const std::string& path, std::uint64_t number) {
  auto file = AppendedFile::open(path, false);
  if (!file) {
    return errno == ENOENT ? state_damage(path, "there is no such file") : file.error();
  }
  Journal journal(std::move(file).value(), number);
  Status status = journal.read_header();
  status = status.ok() ? journal.read_blocks() : status;
  return status.ok() ? Result<Journal>(std::move(journal)) : Result<Journal>(status.error());
}

std::string Journal::header() const {
  std::string line = fmt::format("{}{:010} {:016} ", kJournalMark, number_, accepted_);
  return line + fmt::format("{:016x}\n", checksum(line, number_));
}

/// Updates the header to accept all blocks. They are on the disk already.
Status Journal::write_header() {
  accepted_ = file_.size();
  return file_.overwrite(0, header());
}

Status Journal::read_header() {
  ELAPID_ASSIGN_OR_RETURN(const std::string line, file_.read(0, kHeaderSize));
  const std::size_t place = fmt::format("{}{:010} ", kJournalMark, number_).size();
  if (line.size() > place) {
    const char* const digits = line.data() + place;
    (void)std::from_chars(digits, line.data() + line.size(), accepted_);
  }
  return line == header() ? Status()
                          : Status(state_damage(path(), "expected the header of journal " +
                                                            std::to_string(number_)));
}

Status Journal::read_blocks() {
  std::uint64_t offset = kHeaderSize;
  while (offset < file_.size() && !has_ended_) {
    ELAPID_ASSIGN_OR_RETURN(const bool is_whole, read_block(offset));
    if (!is_whole) {
      break;
    }
  }
  if (offset < accepted_) {
    return state_damage(path(), "expected " + std::to_string(accepted_) +
                                    " bytes that were accepted, found no whole block at byte " +
                                    std::to_string(offset));
  }
  return file_.truncate(offset);
}

/// Steps over a block; false if none follows.
Result<bool> Journal::read_block(std::uint64_t& offset) {
  constexpr std::size_t kLongestLine = 64;
  Result<std::string> text = file_.read(offset, kLongestLine);
  const auto block = text ? parse_block_line(text.value()) : std::nullopt;
  if (!block || block->bytes > file_.size() - offset - block->length) {
    return text ? Result<bool>(false) : Result<bool>(text.error());
  }
  text = file_.read(offset + block->length, block->bytes);
  ELAPID_RETURN_IF_ERROR(text);
  if (checksum(text.value(), sum_) != block->sum) {
    return false;
  }
  sum_ = block->sum;
  has_ended_ = text.value() == kEnd;
  offset += block->length + block->bytes;
  return true;
}

Status Journal::append(std::string_view lines) {
  if (lines.empty()) {
    return {};
  }
  sum_ = checksum(lines, sum_);
  std::string block = block_line(lines.size(), sum_);
  block += lines;
  return file_.append(block);
}

Status Journal::sync() {
  if (accepted_ == file_.size()) {
    return {};
  }
  const Status status = file_.sync();
  return status.ok() ? write_header() : status;
}

Status Journal::end() {
  has_ended_ = true;
  Status status = append(kEnd);
  status = status.ok() ? sync() : status;
  return status.ok() ? file_.sync() : status;  // makes the new header durable
}

bool Journal::is_own_line(std::string_view line) {
  return line.starts_with(kBlockMark) || line.starts_with(kJournalMark) ||
         line == kEnd.substr(0, kEnd.size() - 1);
}

}  // namespace elapid
