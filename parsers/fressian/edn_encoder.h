// EDN forms as Fressian objects, in the way Jepsen writes Clojure's values.
#pragma once

#include <string_view>

#include "engine/ir/result.h"
#include "parsers/fressian/encoder.h"

namespace elapid::fressian {

/// Writes a value, given as EDN text, canonical or as Clojure prints it: sets as
/// `persistent-hash-set`, ratios as `ratio`, characters as `char`, and a tag that
/// Decoder does not know as a structure of one component. Error: kMalformed if the text is not one
/// EDN form of at most edn::kMaxFormDepth levels, or has a big number beyond kMaxBigBytes.
Status encode_edn(std::string_view form, Encoder& out);

}  // namespace elapid::fressian
