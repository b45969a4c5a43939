// Writes files of evidence. Their names are safe whatever they are made from, and their contents
// are whole or absent.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// `text` as one component of a path: slashes, `%`, a leading dot, and what is not seen
/// (engine/ir/visible.h) become
/// `%2F` and the like; a long name keeps its beginning and ends in a hash. Different texts have
/// different names.
[[nodiscard]] std::string safe_file_name(std::string_view text);

/// Writes a whole file, as an OutputFile (parsers/bytes/output.h). Makes missing directories.
/// Error: kUnreadable with the file's name and the system's reason; nothing half-written stays.
Status write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace elapid
