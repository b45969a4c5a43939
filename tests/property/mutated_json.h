// Files of JSON lines with something wrong in them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/generate/random.h"

namespace elapid {

/// Of valid JSON, an object a line: the same with one to three changes. Lines, fields and elements
/// are dropped, repeated, exchanged or taken from the other text; numbers, words and truths are
/// replaced, by `words` among others; texts are cut off, bytes change, arrays nest deeply. Most
/// results are valid JSON again.
[[nodiscard]] std::string mutated_json(std::string_view text, std::string_view other,
                                       std::span<const std::string_view> words, Random& random);

}  // namespace elapid
