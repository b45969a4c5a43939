// The flags of `elapid generate` and `elapid run` that describe the requests of clients, and the
// recipe made of these flags and a preset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "adapter/cli/options/options.h"
#include "engine/ir/result.h"
#include "harness/generate/presets.h"

namespace elapid {

/// The values as typed. The preset gives absent values.
struct RecipeFlags {
  std::string preset = {};
  std::optional<std::string> workload = {};
  std::optional<std::string> store = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> transactions = {};
  std::optional<std::uint64_t> operations = {};
  std::optional<std::size_t> sessions = {};
  std::optional<std::size_t> keys = {};
  std::optional<std::uint64_t> max_writes = {};
  std::optional<std::string> key_law = {};
  std::optional<std::size_t> min_length = {};
  std::optional<std::size_t> max_length = {};
  std::optional<std::string> reads = {};
  std::optional<std::uint64_t> values = {};
  std::optional<std::string> value_law = {};
  std::optional<std::string> repeating = {};
  std::optional<std::string> forms = {};
  std::optional<std::string> aborts = {};
  std::optional<std::string> indeterminate = {};
  std::optional<std::string> crashes = {};
  std::optional<std::uint64_t> retries = {};
  std::optional<std::uint32_t> pace = {};
  std::optional<std::uint64_t> staleness = {};
  std::optional<std::size_t> replicas = {};
  std::optional<std::uint64_t> failover_every = {};
  std::optional<std::uint64_t> lost_tail = {};
  std::optional<std::int64_t> clock_skew = {};
  bool loads = false;
  bool final_reads = false;
  bool serial = false;
};

/// Adds the flags for the kind and number of requests, which apply to real databases as well.
void add_request_flags(Options& options, RecipeFlags& flags);

/// Adds all flags.
void add_recipe_flags(Options& options, RecipeFlags& flags);

/// The recipe, with a seed. Borrows names from the flags. Error: kUsage for an impossible value, an
/// unknown preset, or a flag that changes nothing. `has_faults`: as for is_of_object(), which
/// decides whether the flags of stores apply.
[[nodiscard]] Result<Recipe> recipe_of(const RecipeFlags& flags, bool has_faults = false);

}  // namespace elapid
