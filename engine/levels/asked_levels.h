// The levels that transactions asked for, from the words of their history.
//
// A mix has one commit order of all transactions, in which writers come before their readers. If T
// reads a key from T1, and T2 writes the key and is visible to T, then T2 comes before T1. T's
// level decides what is visible. Session order and real time put S before T if T's level asks for
// them. So each level binds its own reader only. docs/levels.md has the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/levels/txn_levels.h"

namespace elapid {

/// The model's demands on one transaction in a mix; nothing if they are not defined. Repeatable
/// read demands the same as serializability, since there are no predicates. Read uncommitted
/// demands nothing of reads (TxnLevels::reads_anything), and of writes the same as read committed.
[[nodiscard]] std::optional<OrderLevel> level_in_mix(Model model);

/// The name of an SQL level, as `REPEATABLE READ`, in our spelling: `repeatable-read`.
[[nodiscard]] std::string in_our_words(std::string word);

/// The model of this name, if level_in_mix() defines it. SQL names such as `REPEATABLE READ` are
/// accepted. Error: kUsage, with a similar name or the names that mixes accept.
[[nodiscard]] Result<Model> find_level_in_mix(const std::string& word);

struct AskedLevels {
  std::vector<Model> models;  ///< by transaction; of aborted ones that of the first other one
  TxnLevels levels;           ///< the demands of these models
};

/// Requires at least one transaction. Words of aborted transactions do not count. Error:
/// kMalformed, with the place of another transaction whose word is no level or missing. Linear.
[[nodiscard]] Result<AskedLevels> asked_levels(const History& history);

/// The models that the transactions ask for, except aborted ones.
[[nodiscard]] ModelSet asked_models(const History& history, const std::vector<Model>& models);

}  // namespace elapid
