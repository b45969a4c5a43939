// Lines as they arrive: from a file that grows, a pipe, or the clients of a socket.
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

/// The next lines of an input.
struct Lines {
  /// Whole lines, each with its newline; only the last line of a file or pipe may have none. Valid
  /// until the next call. Empty if nothing came in time.
  std::string_view text = {};
  std::uint64_t first_line = 1;  ///< the number of the first line, from 1
  std::uint64_t offset = 0;  ///< of the first byte in the input; in a socket, among all its lines
  bool has_ended = false;    ///< nothing will follow
};

class LineSource {
 public:
  /// The longest line; a longer one is an error, unless its end arrives in the same read.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 26;

  virtual ~LineSource() = default;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next lines, up to about 1 MB, as soon as there are any; none after `patience` or at a
  /// signal. Errors: kMalformed, with line and offset, for a line that is too long (the next call
  /// continues after that line); kUnreadable, then for ever, if the input cannot be read or the
  /// file was cut short.
  virtual Result<Lines> next(std::chrono::milliseconds patience) = 0;

  /// Ends the source after the bytes that have arrived; an unfinished last line counts. A socket
  /// accepts no more clients.
  virtual void finish() = 0;

  /// Whether lines of several writers are interleaved.
  [[nodiscard]] virtual bool has_several_writers() const { return false; }

  /// News for the reader, each once: the socket accepts no more clients, or accepts them again.
  [[nodiscard]] virtual std::optional<std::string> take_notice() { return std::nullopt; }

  /// The path; for a socket its address, with the actual port.
  [[nodiscard]] const std::string& name() const { return name_; }

 protected:
  explicit LineSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Opens
///  - a file, which stays open and may grow until finish();
///  - a pipe, or `-` for standard input, to the end of the input;
///  - `tcp:PORT` (on loopback), `tcp:HOST:PORT`, `tcp:[ADDRESS]:PORT`, `unix:PATH`: a socket to
///    which any number of clients write lines until finish(). The lines of a client stay whole and
///    in their order; its unfinished last line counts.
/// Port 0 means any free port. A socket file without a listening process is replaced. Errors:
/// kUnreadable if the input cannot be opened, kUsage for an address without a port.
Result<std::unique_ptr<LineSource>> open_line_source(
    const std::string& where, std::size_t longest_line = LineSource::kLongestLine);

}  // namespace elapid
