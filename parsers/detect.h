// Detects the format of an input: every format looks for its signs in the input, and the signs are
// compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid {

/// A format, and the reason to expect it.
struct Detection {
  FormatName format = {};
  std::string reason = {};  ///< the sign: `it begins with a map of keyword keys`
  std::string file = {};    ///< of a directory: the file with the history, if it is one
};

/// The formats that an input may have, the likeliest first; never empty. Decides by FileLook's view
/// of `source`, which is rewound before and after. If there are several formats, the right one is
/// the first whose reader gets to the end. Error: kMalformed for an empty input, and if it has no
/// sign of any format.
Result<std::vector<Detection>> detect_file(ByteSource& source, const ReadWords& words = {});

/// Decides whether a directory is one history, and its format: the one with the strongest sign.
/// Detection::file is the history if a single file is. Error: kUnreadable if it is no history,
/// kMalformed if several signs are equally strong. If `asked` has a format, looks only for that
/// one; a format of directories of logs then needs no sign.
Result<Detection> detect_directory(const std::string& directory,
                                   const std::optional<FormatName>& asked = {},
                                   const ReadWords& words = {});

}  // namespace elapid
