// The lines of one descriptor: a file that grows, or a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "parsers/bytes/file_descriptor.h"
#include "parsers/lines/line_buffer.h"
#include "parsers/lines/line_numbers.h"
#include "parsers/lines/line_source.h"
#include "parsers/lines/patience.h"

namespace elapid {

class DescriptorLines : public LineSource {
 public:
  /// If the descriptor grows, the end of its bytes is only the present end.
  DescriptorLines(std::string name, FileDescriptor fd, bool grows, std::size_t longest_line)
      : LineSource(std::move(name)),
        fd_(std::move(fd)),
        grows_(grows),
        longest_line_(longest_line),
        buffer_(longest_line) {}

  Result<Lines> next(std::chrono::milliseconds patience) override;

  void finish() override { is_finishing_ = true; }

 private:
  enum class Step : std::uint8_t { kRead, kNothing, kEnd };

  std::optional<Result<Lines>> take();
  Result<Step> read(const Patience& patience);
  Result<Step> wait_for_growth(const Patience& patience);

  static constexpr std::chrono::milliseconds kShortestNap{10};

  FileDescriptor fd_;
  bool grows_;
  std::size_t longest_line_;
  LineBuffer buffer_;
  LineNumbers numbers_;
  std::uint64_t read_ = 0;                        // bytes so far
  std::chrono::milliseconds nap_ = kShortestNap;  // the next one, without new bytes
  bool is_finishing_ = false;
  bool has_ended_ = false;
};

}  // namespace elapid
