#include "adapter/watch/event_file.h"

#include <algorithm>
#include <cstddef>

#include "adapter/watch/checksum.h"
#include "adapter/watch/state_damage.h"

namespace elapid {

namespace {

void add(std::string_view line, EventFile::Mark& to) {
  to.sum = checksum(line, to.sum);
  to.size += line.size();
}

}  // namespace

Result<EventFile> EventFile::open(const std::string& path, const Mark& mark) {
  ELAPID_ASSIGN_OR_RETURN(auto file, AppendedFile::open(path));
  EventFile events(std::move(file));
  Status status = events.read(mark);
  return status.ok() ? Result<EventFile>(std::move(events)) : Result<EventFile>(status.error());
}

/// Reads the whole file. Up to the mark its content must be unchanged.
Status EventFile::read(const Mark& mark) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  for (std::uint64_t offset = 0; offset < file_.size(); offset += kChunk) {
    ELAPID_ASSIGN_OR_RETURN(const std::string chunk, file_.read(offset, kChunk));
    known_ += chunk;
    std::size_t begin = 0;
    for (std::size_t newline = known_.find('\n');
         newline != std::string::npos && told_.size < mark.size;
         newline = known_.find('\n', begin)) {
      add(std::string_view(known_).substr(begin, newline + 1 - begin), told_);
      begin = newline + 1;
    }
    known_.erase(0, begin);
  }
  return told_.size == mark.size && told_.sum == mark.sum
             ? Status()
             : Status(state_damage(file_.path(),
                                   "its first " + std::to_string(mark.size) +
                                       " bytes are not the events that were told before"));
}

bool EventFile::tell(std::string_view line) {
  add(line, told_);
  const bool is_known =
      unwritten_.empty() && std::string_view(known_).substr(passed_).starts_with(line);
  if (is_known) {
    passed_ += line.size();
    return false;
  }
  unwritten_ += line;
  return true;
}

Status EventFile::write() {
  if (unwritten_.empty()) {
    return {};
  }
  const Status status = drop_untold();
  return status.ok() ? file_.append(std::exchange(unwritten_, {})) : status;
}

Status EventFile::drop_untold() {
  const std::size_t untold = known_.size() - passed_;
  known_.clear();
  passed_ = 0;
  return file_.truncate(file_.size() - untold);
}

}  // namespace elapid
