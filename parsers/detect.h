// Which format an input is in, from its first bytes.
#ifndef ELAPID_PARSERS_DETECT_H_
#define ELAPID_PARSERS_DETECT_H_

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/read.h"

namespace elapid {

struct Detection {
  Format format = Format::kEdn;
  std::string reason;  ///< what was seen: `it begins with a map of keyword keys`
};

/// Decides by up to 64 KiB from the start of `source`, which is rewound before and after. Error:
/// kMalformed for an empty input, and if the bytes look like none of the formats or like more than
/// one.
Result<Detection> detect_format(ByteSource& source);

}  // namespace elapid

#endif  // ELAPID_PARSERS_DETECT_H_
