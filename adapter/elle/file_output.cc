#include "adapter/elle/file_output.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <system_error>

#include "engine/ir/utf8.h"
#include "engine/ir/visible.h"
#include "parsers/bytes/output.h"

namespace elapid {
namespace {

constexpr std::size_t kMaxNameBytes = 120;

/// Whether a file's name cannot contain the character, or would not show it.
bool needs_escape(std::string_view character, bool first) {
  const char c = character.front();
  return c == '/' || c == '\\' || c == '%' || (first && c == '.') ||
         visible_line(character) != character;
}

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t state = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return state;
}

}  // namespace

std::string safe_file_name(std::string_view text) {
  std::string name;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(first_character(rest).length, 1);
    const std::string_view character = rest.substr(0, length);
    rest.remove_prefix(length);
    if (!needs_escape(character, name.empty())) {
      name += character;
      continue;
    }
    for (const char c : character) {
      fmt::format_to(std::back_inserter(name), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  if (name.size() > kMaxNameBytes) {
    name.resize(kMaxNameBytes);
    while (as_utf8(name) != name) {  // not within a character
      name.pop_back();
    }
    fmt::format_to(std::back_inserter(name), "%{:016x}", hash(text));
  }
  return name.empty() ? "%" : name;
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be written: " + error.message(),
                 .file = path.string()};
  }
  ELAPID_ASSIGN_OR_RETURN(OutputFile file, OutputFile::create(path.string()));
  file << content;
  return file.commit();
}

}  // namespace elapid
