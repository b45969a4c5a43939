// Counts anomalies by key and type: many anomalies of one key have another cause than a few of
// every key.
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

/// The most frequent keys and names of anomalies, the most frequent first; among equally frequent
/// ones, the earliest first.
struct KeyTable {
  struct Row {
    std::string key = {};
    std::vector<std::size_t> counts = {};  ///< of anomalies, by column
  };

  std::string noun = "key";             ///< the word for keys: `row` if they are rows
  std::size_t keys = 0;                 ///< number of all keys, shown or not
  std::vector<std::string> names = {};  ///< of the columns
  std::vector<Row> rows = {};
  std::size_t keys_left_out = 0;
  std::size_t names_left_out = 0;
};

/// Counts each anomaly once for each key that its evidence names. O(evidence).
class KeyTally {
 public:
  explicit KeyTally(const History& history) : history_(history) {}

  void add(const Description& anomaly);

  /// At most a screenful. No rows if there is only one key, or if each key occurs once.
  [[nodiscard]] KeyTable table() const;

 private:
  const History& history_;
  std::vector<std::string> keys_ = {};
  std::vector<std::string> names_ = {};
  std::unordered_map<std::string, std::size_t, SeededHash> place_of_key_ = {};
  std::vector<std::vector<std::size_t>> counts_ = {};  ///< by key, by name
};

}  // namespace elapid
