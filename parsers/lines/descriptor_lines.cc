#include "parsers/lines/descriptor_lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

namespace elapid {

Result<Lines> DescriptorLines::next(std::chrono::milliseconds patience) {
  const Patience limit(patience);
  for (bool has_tried = false; !has_ended_; has_tried = true) {
    if (auto taken = take()) {
      return std::move(*taken);
    }
    ELAPID_ASSIGN_OR_RETURN(
        const Step step, has_tried&& limit.is_over() ? Result<Step>(Step::kNothing) : read(limit));
    if (step == Step::kNothing) {
      return numbers_.number({}, buffer_.offset());
    }
    has_ended_ = step == Step::kEnd;
  }
  const std::uint64_t offset = buffer_.offset();
  Lines last = numbers_.number(buffer_.take_rest(), offset);
  last.has_ended = true;
  return last;
}

/// Takes the lines of the last read.
std::optional<Result<Lines>> DescriptorLines::take() {
  const std::uint64_t offset = buffer_.offset();
  if (const std::string_view text = buffer_.take_lines(); !text.empty()) {
    return numbers_.number(text, offset);
  }
  if (const auto begin = buffer_.take_overflow()) {
    return numbers_.too_long(name(), *begin, longest_line_);
  }
  return std::nullopt;
}

/// Reads once, or waits.
Result<DescriptorLines::Step> DescriptorLines::read(const Patience& patience) {
  constexpr std::size_t kBatch = std::size_t{1} << 20;
  if (!grows_) {
    std::array<pollfd, 1> input = {pollfd{.fd = fd_.get(), .events = POLLIN, .revents = 0}};
    const Wait wait = is_finishing_ ? Patience::look(input) : patience.wait(input);
    if (wait != Wait::kReady) {
      return is_finishing_ && wait == Wait::kOver ? Step::kEnd : Step::kNothing;
    }
  }
  ELAPID_ASSIGN_OR_RETURN(const std::size_t count, fd_.read(buffer_.room(kBatch), name()));
  if (count == 0) {
    return grows_ && !is_finishing_ ? wait_for_growth(patience) : Step::kEnd;
  }
  buffer_.add(count);
  read_ += count;
  nap_ = kShortestNap;
  return Step::kRead;
}

/// Waits at the present end of a file. Polling works on every file system; the interval grows while
/// nothing arrives.
Result<DescriptorLines::Step> DescriptorLines::wait_for_growth(const Patience& patience) {
  constexpr std::chrono::milliseconds kLongestNap(100);
  struct stat info = {};
  if (::fstat(fd_.get(), &info) != 0) {
    return system_error(name(), "cannot be looked at");
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < read_) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "was cut short: it has " + std::to_string(size) + " bytes, and " +
                            std::to_string(read_) + " were read",
                 .file = name()};
  }
  const std::chrono::milliseconds nap = nap_;
  nap_ = std::min(nap_ * 5 / 4, kLongestNap);
  return patience.nap(nap) == Wait::kInterrupted ? Step::kNothing : Step::kRead;
}

}  // namespace elapid
