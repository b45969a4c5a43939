// Which format an input is in: a file by its first bytes, a directory by what it holds.
#ifndef ELAPID_PARSERS_DETECT_H_
#define ELAPID_PARSERS_DETECT_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/read.h"

namespace elapid {

/// The formats that an input may be in, the likeliest first; never none. Decides by up to 64 KiB
/// from the start of `source`, which is rewound before and after: where there are several, the
/// format is the first one whose reader gets to the end. Error: kMalformed for an empty input, and
/// if the bytes look like none of the formats.
Result<std::vector<Detection>> detect_file(ByteSource& source);

/// Decides whether a directory is one history, and which: a Cobra or Viper run, a Jepsen store
/// (Detection::file is its history), a folder with a history.bincode. Error: kUnreadable if it is
/// none of these, kMalformed if it is more than one. Where a format is asked for, only that is
/// looked for; a directory of logs is taken as such then.
Result<Detection> detect_directory(const std::string& directory,
                                   const std::optional<FormatName>& asked = {});

}  // namespace elapid

#endif  // ELAPID_PARSERS_DETECT_H_
