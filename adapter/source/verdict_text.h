// A verdict in words, with the lines of the source that they speak of.
#pragma once

#include <string>

#include "adapter/elle/description_text.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// explanation() of a verdict on this history. Where events stand, and what the history does not
/// keep of them, is read from the source, whatever `options` say of it.
[[nodiscard]] std::string verdict_text(LoadedHistory& loaded, const Verdict& verdict,
                                       TextOptions options);

}  // namespace elapid
