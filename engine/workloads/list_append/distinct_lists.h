// The different lists that reads of a key show, for keys whose lists may contradict one another.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/workloads/list_append/external_lists.h"

namespace elapid {

/// A list of a key with the first operation that read it.
struct SeenList {
  ListId id;
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop = 0;
};

/// The distinct non-empty lists that `included` transactions read, shortest first, of those keys of
/// which some read was no prefix of the longest list kept. Of all other keys the lists are prefixes
/// of one another. O(reads + elements of these keys' lists).
[[nodiscard]] std::map<KeyId, std::vector<SeenList>> distinct_lists(
    const ExternalLists& external, const std::vector<bool>& included);

}  // namespace elapid
