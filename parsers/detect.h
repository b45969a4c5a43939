// Detects the format of an input: every format says what in the input speaks for it, and the
// answers are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid {

/// A format with the reason to think that an input is in it.
struct Detection {
  FormatName format = {};
  std::string reason = {};  ///< what was seen: `it begins with a map of keyword keys`
  std::string file = {};    ///< of a directory: the file that is the history, if it is one alone
};

/// The formats that an input may be in, the likeliest first; never none. Decides by what FileLook
/// sees of `source`, which is rewound before and after: where there are several, the format is the
/// first one whose reader gets to the end. Error: kMalformed for an empty input, and if nothing in
/// it speaks for any format.
Result<std::vector<Detection>> detect_file(ByteSource& source, const ReadWords& words = {});

/// Decides whether a directory is one history, and which: the format with the strongest sign, whose
/// Detection::file is the history where a single file is. Error: kUnreadable if it is none,
/// kMalformed if several signs are equally strong. Where a format is asked for, only that is looked
/// for; a format that is a directory of logs needs no sign then.
Result<Detection> detect_directory(const std::string& directory,
                                   const std::optional<FormatName>& asked = {},
                                   const ReadWords& words = {});

}  // namespace elapid
