#include "engine/evidence/gloss.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace elapid {
namespace {

using Gloss = std::pair<std::string_view, std::string_view>;

// Names without -process and -realtime.
constexpr std::array<Gloss, 18> kGlosses = {{
    {"G0", "a cycle of writes"},
    {"G1a", "a read of an aborted write"},
    {"G1b", "a read of an intermediate state"},
    {"G1c", "circular information flow"},
    {"G-single-item", "read skew"},
    {"G-single", "read skew"},
    {"G-nonadjacent-item", "reads that miss writes, never twice in a row: no snapshots explain it"},
    {"G-nonadjacent", "reads that miss writes, never twice in a row: no snapshots explain it"},
    {"G2-item", "reads that miss one another's writes (write skew)"},
    {"G2", "reads that miss one another's writes (write skew)"},
    {"GSIa", "interference: a dependency on what was not committed at the start"},
    {"GSIb", "missed effects: a snapshot without what was committed before it"},
    {"internal", "a transaction at odds with itself"},
    {"garbage-read", "a read of a value that no transaction wrote"},
    {"incompatible-order", "reads that no order of writes explains"},
    {"dirty-update", "a write on top of an aborted one"},
    {"cyclic-versions", "versions without an order"},
    {"empty-transaction-graph", "nothing to check"},
}};

}  // namespace

std::string gloss(AnomalyType type) {
  constexpr std::array<Gloss, 2> kSuffixes = {
      {{"-process", ", with session order"}, {"-realtime", ", with real time"}}};
  std::string_view base = name(type);
  std::string_view addition;
  for (const auto& [suffix, words] : kSuffixes) {
    if (name(type).ends_with(suffix)) {
      base.remove_suffix(suffix.size());
      addition = words;
    }
  }
  const auto* entry = std::ranges::find(kGlosses, base, &Gloss::first);
  return entry == kGlosses.end() ? "" : std::string(entry->second) + std::string(addition);
}

}  // namespace elapid
