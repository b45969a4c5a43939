// The keys that evidence names for a transaction.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// The word for keys: `key`, or `row`.
[[nodiscard]] std::string key_noun(const History& history);

/// The keys as text of at most `most_bytes`, in the order of the evidence, perhaps with repetition.
/// For predicates: the rows at issue that they found or missed. Empty for a workload without
/// transactions.
[[nodiscard]] std::vector<std::string> actor_keys(const History& history, const Actor& actor,
                                                  std::size_t most_bytes);

}  // namespace elapid
