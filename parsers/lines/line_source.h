// Lines as they come: from a file that grows, a pipe, or the clients of a socket.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// Some lines of an input.
struct Lines {
  /// Whole lines, each with its newline, but for an unfinished last one of a file or pipe. Valid
  /// until the next call. Empty if nothing came in time.
  std::string_view text = {};
  std::uint64_t first_line = 1;  ///< the number of the first, from 1
  std::uint64_t offset = 0;      ///< of the first byte in the input; of a socket, among its lines
  bool has_ended = false;        ///< nothing will follow
};

class LineSource {
 public:
  /// A line that is longer is an error, unless its end comes with the same reading.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 26;

  virtual ~LineSource() = default;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next lines, up to about 1 MB of them, as soon as there are any. Returns without when
  /// `patience` is over, and when a signal comes. Error: kMalformed, with line and offset, for a
  /// line that is too long, which is passed over: the next call goes on behind it; kUnreadable, for
  /// good, if the input cannot be read or the file was cut short.
  virtual Result<Lines> next(std::chrono::milliseconds patience) = 0;

  /// What has come until now is all: the source ends behind it, with its last line if that is
  /// unfinished. A socket accepts no more clients.
  virtual void finish() = 0;

  /// Whether the lines of several writers come in between each other.
  [[nodiscard]] virtual bool has_several_writers() const { return false; }

  /// News for the reader, each once: that no more clients are accepted, or that they are again.
  [[nodiscard]] virtual std::optional<std::string> take_notice() { return std::nullopt; }

  /// The path; of a socket its address, with the number of the port that it got.
  [[nodiscard]] const std::string& name() const { return name_; }

 protected:
  explicit LineSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Opens
///  - a file, which is kept open under its descriptor and waited for to grow until finish();
///  - a pipe, or `-` for standard input: to the end of the input;
///  - `tcp:PORT` (on loopback), `tcp:HOST:PORT`, `tcp:[ADDRESS]:PORT`, `unix:PATH`: a socket that
///    any number of clients write lines to. The lines of each are kept whole and in their order,
///    an unfinished last one is taken for finished; until finish().
/// Port 0 is a free one. A socket file at which no process listens is replaced. Error: kUnreadable
/// if it cannot be opened, kUsage for an address without a port.
Result<std::unique_ptr<LineSource>> open_line_source(
    const std::string& where, std::size_t longest_line = LineSource::kLongestLine);

}  // namespace elapid
