// A story as SQL for several shells, so that users can try it on a database by hand.
//
//   begin isolation level repeatable read;                  -- 1. T1
//   select v from elapid where k = 'x';                     -- 2. T1 shows nothing (null)
//   begin isolation level repeatable read;                  -- 3. T2
//
// As in Kleppmann's Hermitage (https://github.com/ept/hermitage). Registers are rows of a table,
// lists rows with the elements in a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "harness/story/story.h"

namespace elapid {

enum class SqlDialect : std::uint8_t { kPostgres, kMysql, kSqlite };

/// By SqlDialect: `postgres`, `mysql`, `sqlite`.
[[nodiscard]] std::vector<std::string_view> dialect_names();

/// Requires one of these names.
[[nodiscard]] SqlDialect dialect_of(std::string_view name);

/// The script, at the database's own level that is meant to keep the `demanded` ones; the strongest
/// of several. Instead, `by_transaction` may have the level of each transaction. Requires a
/// transaction. Error: kUsage if the script cannot show the story: the database has no such level,
/// no two transactions overlap, or an operation is not on registers and lists.
[[nodiscard]] Result<std::string> sql_script(const History& history, const ToldStory& story,
                                             ModelSet demanded, SqlDialect dialect,
                                             const std::vector<Model>& by_transaction = {});

}  // namespace elapid
