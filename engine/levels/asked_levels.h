// The levels that transactions asked for, from the words of their history.
//
// What a mix means: one commit order for all, which contains who read from whom. Where T reads a
// key from T1, and T2 writes the key and is visible to T, T2 comes before T1; visible says T's
// level. Session order and real time put S before T if T's level asks for it. So each reader is
// held to its own level, and serves others whatever theirs are. docs/levels.md has the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/levels/txn_levels.h"

namespace elapid {

/// What a model asks of one transaction beside others; nothing if that is not defined. Repeatable
/// read asks what serializability does, since there are no predicates. Read uncommitted asks
/// nothing of reads (TxnLevels::reads_anything), and of writes what read committed does.
[[nodiscard]] std::optional<OrderLevel> level_in_mix(Model model);

/// A level in the words of SQL, as `REPEATABLE READ`, in ours: `repeatable-read`.
[[nodiscard]] std::string in_our_words(std::string word);

/// The model that a word names and that level_in_mix() knows; words of SQL, as `REPEATABLE READ`,
/// are ours. Error: kUsage, with what is meant.
[[nodiscard]] Result<Model> find_level_in_mix(const std::string& word);

struct AskedLevels {
  std::vector<Model> models;  ///< by transaction; of aborted ones without a word, any
  TxnLevels levels;           ///< what these models ask
};

/// Requires at least one transaction. Error: kMalformed with the place of the transaction, if it
/// did not abort and has no level, or if its word names none. Linear.
[[nodiscard]] Result<AskedLevels> asked_levels(const History& history);

/// The models that transactions ask for which did not abort.
[[nodiscard]] ModelSet asked_models(const History& history, const std::vector<Model>& models);

}  // namespace elapid
