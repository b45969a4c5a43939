// EDN forms as Fressian objects, as Jepsen writes Clojure's values.
#pragma once

#include <string_view>

#include "engine/ir/result.h"
#include "parsers/fressian/encoder.h"

namespace elapid::fressian {

/// Writes a value from its EDN text, canonical or as Clojure prints it. Sets become
/// `persistent-hash-set`, ratios `ratio`, and characters `char`. A tag that Decoder does not know
/// becomes a structure of one component. Error: kMalformed if the text is not one EDN form of at
/// most edn::kMaxFormDepth levels, or has a big number beyond kMaxBigBytes.
Status encode_edn(std::string_view form, Encoder& out);

}  // namespace elapid::fressian
