// The keys that evidence names for a transaction.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// What keys are called: `key`, or `row`.
[[nodiscard]] std::string key_noun(const History& history);

/// As text of at most `most_bytes`, in the order of the evidence, a key perhaps more than once;
/// of predicates the rows at issue that they found or missed; none of a workload without
/// transactions.
[[nodiscard]] std::vector<std::string> actor_keys(const History& history, const Actor& actor,
                                                  std::size_t most_bytes);

}  // namespace elapid
