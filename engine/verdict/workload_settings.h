// Settings for the checkers of workloads without levels, which the history does not record.
//
//   --total-amount 100    the sum of a bank's balances
//
// A setting that is not given comes from the test's own map, if the history is in a store.
// Otherwise it is inferred from the history, if possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  /// The names of the settings that come from the test's map, as `total-amount`.
  std::vector<std::string> from_test = {};

  /// The source of a setting: `test-map`; `given`, by the user; or `otherwise` if it is not given.
  [[nodiscard]] std::string_view source_of(std::string_view name, bool is_set,
                                           std::string_view otherwise) const {
    const bool is_of_test = std::ranges::find(from_test, name) != from_test.end();
    return is_of_test ? "test-map" : is_set ? "given" : otherwise;
  }
};

}  // namespace elapid
