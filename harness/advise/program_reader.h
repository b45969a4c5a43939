// Reads transaction programs from text (docs/advise.md).
//
//   ; a bank
//   program WriteCheck(c)
//     R savings(c)
//     U checking(c)          reads and writes it at once
//
// R reads, W writes, U does both. `R district(w, d) {tax name}` says which attributes of the row,
// `U district(w, d) {next ytd} {next}` which are read and which are written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/advise/programs.h"
#include "engine/ir/result.h"

namespace elapid {

struct ProgramFile {
  advise::ProgramSet set = {};
  /// Not empty: something that the theory does not cover, and on which line it is.
  std::string uncovered = {};
  std::uint64_t uncovered_line = 0;
};

/// `file`: what errors call it. Error kMalformed: what was expected and what was found, with line
/// and column.
[[nodiscard]] Result<ProgramFile> parse_programs(const std::string& file, std::string_view text);

/// The same from a file. Error kUnreadable too.
[[nodiscard]] Result<ProgramFile> read_programs(const std::string& path);

}  // namespace elapid
