// Rules with which a user gives transactions levels, if the history does not tell them.
//
//   f=transfer: serializable; process<3 & read-only: si; read-committed
//
// A rule has conditions and a level. The first rule that fits a transaction counts. A rule without
// conditions fits all transactions. If no rule fits, the history's own level stays.
//
// | condition                           | fits transactions                                      |
// |-------------------------------------|--------------------------------------------------------|
// | `f=NAME`, `f~REGEX`                 | with this `:f`, or one that RE2 matches as a whole     |
// | `process=N`, `<N`, `<=N`, `>N`, `>=N` | of these processes; `session` is the same            |
// | `process~REGEX`                     | of processes whose name or number RE2 matches          |
// | `first=r`, `first=w`, `first=append` | whose first operation is of that kind                 |
// | `key~REGEX`                         | whose first operation has a key that RE2 matches       |
// | `read-only`, `writes`               | without writes; with writes                            |
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

struct LevelRule {
  std::string text = {};   ///< as typed, without blanks around it
  std::string level = {};  ///< a word that find_level_in_mix() knows
  /// Empty: fits all.
  std::vector<std::function<bool(const History& history, TxnId txn)>> conditions = {};
};

using LevelRules = std::vector<LevelRule>;

/// Error: kUsage, with the rule, what was expected and what was found.
[[nodiscard]] Result<LevelRules> parse_level_rules(std::string_view text);

/// Gives the history's transactions their levels. Returns a sentence for each rule that counts for
/// no transaction. Linear in transactions and rules.
[[nodiscard]] std::vector<std::string> apply(const LevelRules& rules, History& history);

}  // namespace elapid
