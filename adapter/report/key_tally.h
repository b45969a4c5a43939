// Counts anomalies by key and type: one bad key has another cause than a few anomalies of every
// key.
//
//          lost-update  G-single-item
//   x               31              2
//   y                1              -
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// The keys and the names of anomalies that are met most often, the most frequent first; of equally
/// frequent ones the one that was met first.
struct KeyTable {
  struct Row {
    std::string key = {};
    std::vector<std::size_t> counts = {};  ///< of anomalies, by column
  };

  std::string noun = "key";             ///< what they are called: `row`, of rows
  std::size_t keys = 0;                 ///< that were met, shown or not
  std::vector<std::string> names = {};  ///< of the columns
  std::vector<Row> rows = {};
  std::size_t keys_left_out = 0;
  std::size_t names_left_out = 0;
};

/// Counts each anomaly once for each key of which evidence speaks. O(evidence).
class KeyTally {
 public:
  explicit KeyTally(const History& history) : history_(history) {}

  void add(const Description& anomaly);

  /// At most a screen of it; no rows of a single key, or where no key was met more than once.
  [[nodiscard]] KeyTable table() const;

 private:
  const History& history_;
  std::vector<std::string> keys_ = {};
  std::vector<std::string> names_ = {};
  std::unordered_map<std::string, std::size_t, SeededHash> place_of_key_ = {};
  std::vector<std::vector<std::size_t>> counts_ = {};  ///< by key, by name
};

}  // namespace elapid
