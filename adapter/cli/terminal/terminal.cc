#include "adapter/cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "adapter/elle/description_text.h"
#include "engine/ir/visible.h"
#include "parsers/bytes/stdout_error.h"

namespace elapid {
namespace {

/// The reason of the first failure to write; 0 if there was none.
int& first_failure() {
  static int reason = 0;
  return reason;
}

void write_out(std::string_view text) {
  const bool is_written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!is_written && first_failure() == 0) {
    first_failure() = errno;
  }
}

/// The text for the terminal. Callers have escaped it; as a second guard only codes for bold face
/// pass.
std::string shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find(kBoldOn), text.find(kBoldOff));
    out += visible(text.substr(0, escape));
    text.remove_prefix(std::min(escape, text.size()));
    const std::string_view mark = text.substr(0, kBoldOn.size());
    out += mark;
    text.remove_prefix(mark.size());
  }
  return out;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

void print_text(std::string_view text) {
  write_out(shown(text));
}

void print_document(std::string_view document) {
  if (isatty(STDOUT_FILENO) != 0) {
    print_text(document);
  } else {
    write_out(document);
  }
}

void print_notes(std::string_view notes) {
  const std::string text = shown(notes);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Status output_status() {
  return first_failure() == 0 ? Status() : Status(stdout_error(first_failure()));
}

bool wants_colour(std::string_view choice) {
  const bool is_auto = choice != "always" && choice != "never";
  return is_auto ? isatty(STDOUT_FILENO) != 0 && !is_set("NO_COLOR") && !is_dumb()
                 : choice == "always";
}

bool can_show_progress() {
  return isatty(STDERR_FILENO) != 0 && !is_dumb();
}

std::size_t terminal_columns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

}  // namespace elapid
