// A verdict in words, with the lines of the source.
#pragma once

#include <string>

#include "adapter/elle/description_text.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// explanation() of a verdict on this history. The places of events, and fields that the history
/// lacks, are read from the source, even if `options` have others.
[[nodiscard]] std::string verdict_text(LoadedHistory& loaded, const Verdict& verdict,
                                       TextOptions options);

}  // namespace elapid
