// Writes files of evidence. The names of the files are safe for any text that they are made from.
// Each file is whole or absent.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// `text` as one component of a path: slashes, `%`, a leading dot, and
/// invisible characters (engine/ir/visible.h) become `%2F` and the like. A long
/// name keeps its beginning and ends in a hash. Different texts have different
/// names.
[[nodiscard]] std::string safe_file_name(std::string_view text);

/// Writes a whole file, as an OutputFile (parsers/bytes/output.h). Makes missing directories.
/// Error: kUnreadable with the file's name and the system's reason; no partial file stays.
Status write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace elapid
