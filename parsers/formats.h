// The table of all formats, and lookups in it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parsers/convert/target.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

/// All formats. If an input may have several formats, earlier ones are tried first.
[[nodiscard]] std::span<const Format* const> formats();

/// The names of formats(), in its order.
[[nodiscard]] std::vector<std::string_view> format_names();

/// The format of a name as `edn` or `cobra:universal`; nothing if it is unknown.
[[nodiscard]] std::optional<FormatName> find_format(std::string_view name);

/// The format that recorders write: docs/recorder-format.md.
[[nodiscard]] const Format& recorder_format();

/// All formats and dialects that can be written, in the order of formats().
[[nodiscard]] std::span<const Target> targets();

/// The target of a format's dialect, or of its first one. Nothing if it cannot be written.
[[nodiscard]] const Target* find_target(const FormatName& name);

/// The only format whose files have this extension: `.edn`, `.jsonl`, `.jepsen`, `.bincode`,
/// `.hist` and others. Nothing for an extension that several formats share.
[[nodiscard]] const Target* target_of_extension(std::string_view path);

}  // namespace elapid
