// Writes to standard output and standard error, with regard to a terminal.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// Writes text to standard output. Foreign texts in it must have been made visible
/// (engine/ir/visible.h).
void print_text(std::string_view text);

/// Writes EDN or JSON for programs to standard output: as it is, but printable on a
/// terminal.
void print_document(std::string_view document);

/// Writes notes to standard error. Foreign texts in them must have been made visible.
void print_notes(std::string_view notes);

/// Whether all writing to standard output has succeeded so far. Error: kInternal, with the reason
/// of the first failure.
[[nodiscard]] Status output_status();

/// Whether text on standard output has colours, by the value of --color: `always`, `never`, or
/// `auto`, on a terminal if NO_COLOR is not set (https://no-color.org).
[[nodiscard]] bool wants_colour(std::string_view choice);

/// Whether standard error is a terminal that can erase a line.
[[nodiscard]] bool can_show_progress();

/// Columns of the terminal at standard error, or 80.
[[nodiscard]] std::size_t terminal_columns();

}  // namespace elapid
