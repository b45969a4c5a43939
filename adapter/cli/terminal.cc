#include "adapter/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace elapid {
namespace {

/// Bytes of the escape that begins here and sets colours, as \033[1;31m; 0 if none does.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) {
    return 0;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// The control character that begins here, C0, DEL or C1 in UTF-8, and its length; 0 if none does.
std::pair<unsigned, std::size_t> control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) {
    return {byte(0), 1};
  }
  const bool is_c1 = byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0;
  return is_c1 ? std::pair(unsigned{byte(1)}, std::size_t{2}) : std::pair(0U, std::size_t{0});
}

std::string escaped(std::string_view text, bool is_line) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t colour = is_line ? 0 : colour_length(text);
    const auto [control, length] = control_at(text);
    const bool stays = length == 0 || (!is_line && (control == '\n' || control == '\t'));
    const std::size_t taken = colour > 0 ? colour : std::max<std::size_t>(length, 1);
    if (colour > 0 || stays) {
      out += text.substr(0, taken);
    } else {
      out += control == '\n' ? "\\n" : control == '\t' ? "\\t" : fmt::format("\\u{:04x}", control);
    }
    text.remove_prefix(taken);
  }
  return out;
}

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

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, false);
}

std::string printable_line(std::string_view text) {
  return escaped(text, true);
}

void print_text(std::string_view text) {
  write_out(printable(text));
}

void print_document(std::string_view document) {
  if (isatty(STDOUT_FILENO) != 0) {
    print_text(document);
  } else {
    write_out(document);
  }
}

void print_notes(std::string_view notes) {
  const std::string text = printable(notes);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Status output_status() {
  if (first_failure() == 0) {
    return {};
  }
  return Error{.kind = ErrorKind::kInternal,
               .message = "standard output cannot be written: " +
                          std::generic_category().message(first_failure())};
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
