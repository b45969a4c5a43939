// The table of all formats, and what is looked up in it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parsers/convert/target.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

/// All formats. Where an input looks alike to several, earlier ones are tried first.
[[nodiscard]] std::span<const Format* const> formats();

/// The names of formats(), in its order.
[[nodiscard]] std::vector<std::string_view> format_names();

/// The format of `edn`, or of `cobra:universal`; nothing for an unknown name or dialect.
[[nodiscard]] std::optional<FormatName> find_format(std::string_view name);

/// The one that recorders write: docs/recorder-format.md.
[[nodiscard]] const Format& recorder_format();

/// All formats and dialects that can be written, in the order of formats().
[[nodiscard]] std::span<const Target> targets();

/// The one of a format; without a dialect its first one. Nothing if it cannot be written.
[[nodiscard]] const Target* find_target(const FormatName& name);

/// The format that a file of this name surely has: `.edn`, `.jsonl`, `.jepsen`, `.bincode`, `.hist`
/// and other extensions that one format alone has.
[[nodiscard]] const Target* target_of_extension(std::string_view path);

}  // namespace elapid
