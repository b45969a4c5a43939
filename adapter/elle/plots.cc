#include "adapter/elle/plots.h"

#include <fmt/format.h>

#include <array>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/io.hpp>
#include <boost/process/search_path.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "adapter/elle/dot_text.h"

namespace elapid {
namespace {

namespace process = boost::process;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file without a name. Unlike with pipes, neither side can block or be killed by the other.
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

TemporaryFile temporary_file(std::string_view content) {
  TemporaryFile file(std::tmpfile());
  if (file && std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) {
    file.reset();
  }
  if (file) {
    std::rewind(file.get());  // flushes as well
  }
  return file;
}

std::string read_all(std::FILE* file) {
  std::string content;
  std::array<char, 16384> buffer{};
  std::rewind(file);
  while (const std::size_t length = std::fread(buffer.data(), 1, buffer.size(), file)) {
    content.append(buffer.data(), length);
  }
  return content;
}

/// Waits for the child, or ends it. False if it ran out of time.
bool finished_in_time(process::child& child, std::chrono::milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPause{2};
  const Clock::time_point deadline = Clock::now() + timeout;
  std::error_code ignored;
  while (child.running(ignored)) {
    if (Clock::now() >= deadline) {
      child.terminate(ignored);
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  child.wait(ignored);
  return true;
}

}  // namespace

std::string_view name(PlotFormat format) {
  return format == PlotFormat::kSvg ? "svg" : "png";
}

bool can_draw() {
  return !process::search_path("dot").empty();
}

Plot draw(const History& history, std::span<const TxnId> txns, std::span<const Step> edges,
          const PlotOptions& options) {
  const std::optional<std::string> dot = dot_text(history, txns, edges, options.max_dot_bytes);
  if (!dot) {
    return {.note = fmt::format("its DOT text is longer than {} bytes", options.max_dot_bytes)};
  }
  return draw(*dot, options);
}

Plot draw(std::string_view dot, const PlotOptions& options) {
  const auto program = process::search_path("dot");
  if (program.empty()) {
    return {.note = "dot is not on the PATH (Debian package graphviz)"};
  }
  const TemporaryFile in = temporary_file(dot);
  const TemporaryFile out = temporary_file("");
  if (!in || !out) {
    return {.note = "no temporary file could be made"};
  }
  std::error_code error;
  process::child child(program, fmt::format("-T{}", name(options.format)),
                       process::std_in<in.get(), process::std_out> out.get(),
                       process::std_err > process::null, error);
  if (error) {
    return {.note = "dot could not be started: " + error.message()};
  }
  if (!finished_in_time(child, options.timeout)) {
    return {.note = fmt::format("dot took longer than {} ms", options.timeout.count())};
  }
  if (child.exit_code() != 0) {
    return {.note = fmt::format("dot ended with code {}", child.exit_code())};
  }
  return {.image = read_all(out.get())};
}

}  // namespace elapid
