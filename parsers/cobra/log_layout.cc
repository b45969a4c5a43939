#include "parsers/cobra/log_layout.h"

#include <cstdint>
#include <memory>
#include <string>

#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/window.h"
#include "parsers/cobra/log_scanner.h"

namespace elapid::cobra {

namespace {

/// Where reading the head by this layout stops: where it breaks, or at its end.
std::uint64_t reach(std::string_view head, Layout layout) {
  const auto source = memory_source("", std::string(head));
  Window window(*source, kLayoutTrialBytes);
  LogScanner scanner(window, layout);
  LogBlock block;
  while (scanner.next(block)) {
  }
  return scanner.status().ok() || scanner.has_run_out()
             ? head.size()
             : scanner.status().error().byte_offset.value_or(0);
}

}  // namespace

Layout find_layout(std::string_view head, std::optional<bool> has_times) {
  constexpr std::size_t kBehindId = 9;
  const bool looks_timed = head.size() > kBehindId && head[kBehindId] == '\0';
  const Layout hashes{.has_times = has_times.value_or(looks_timed)};
  const Layout texts{.has_times = hashes.has_times, .has_key_texts = true};
  return reach(head, texts) > reach(head, hashes) ? texts : hashes;
}

}  // namespace elapid::cobra
