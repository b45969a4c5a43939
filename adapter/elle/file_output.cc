#include "adapter/elle/file_output.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <system_error>
#include <utility>

#include "parsers/bytes/output.h"

namespace elapid {
namespace {

constexpr std::size_t kMaxNameBytes = 120;

bool needs_escape(char c, bool first) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f || c == '/' || c == '\\' || c == '%' || (first && c == '.');
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
  for (const char c : text) {
    if (needs_escape(c, name.empty())) {
      fmt::format_to(std::back_inserter(name), "%{:02X}", static_cast<unsigned char>(c));
    } else {
      name += c;
    }
  }
  if (name.size() > kMaxNameBytes) {
    name.resize(kMaxNameBytes);
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
  Result<OutputFile> file = OutputFile::create(path.string());
  if (!file) {
    return std::move(file.error());
  }
  file.value() << content;
  return file.value().commit();
}

}  // namespace elapid
