// What the checkers of workloads without levels want to know and the history does not tell.
//
//   --total-amount 100    what the balances of a bank add up to
//
// What is not given is inferred from the history where that is possible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace elapid {

struct WorkloadSettings {
  bool negative_balances = false;  ///< bank: balances may fall below zero
  std::optional<std::int64_t> total_amount = {};
  std::vector<std::string> accounts = {};  ///< bank: their names as canonical EDN; none: inferred
  std::optional<std::int64_t> group_size = {};  ///< long-fork: keys that a read asks for
  std::optional<std::int64_t> key_count = {};   ///< sequential: subkeys of a key
  bool linearizable_elements = false;           ///< set-full: an add that was seen late is an error
  std::vector<std::string> sub_via = {};        ///< kafka: `assign`, `subscribe`
  std::string lock = {};  ///< mutex: plain (as without it), owned, reentrant, fenced,
                          ///< reentrant-fenced, semaphore
  std::optional<std::int64_t> lock_limit = {};  ///< mutex: holds or permits
  bool ww_deps = false;                         ///< kafka: the version order counts for cycles
};

}  // namespace elapid
