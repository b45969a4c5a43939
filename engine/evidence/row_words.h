// The contents of rows in words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/evidence/story.h"
#include "engine/rows/predicate.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

/// Columns and their values: `:room 5 and :hour 10`; `no :hour` for a missing column.
[[nodiscard]] SeriesPart record_words(const History& history, std::span<const rows::Field> fields);

/// The place of the transaction's last operation that writes the row; nothing if it has none.
[[nodiscard]] std::optional<std::uint32_t> last_write(const History& history, TxnId txn, KeyId row);

/// The state in which a writer left a row: `which T1 had inserted with :room 5 and :hour 10`, `to
/// which T1 had given :age 15`, `which T1 had deleted`. Requires that `parts` are not empty, and
/// are about one row and one writer.
[[nodiscard]] Phrase left_words(std::span<const LastWriter> parts, Story& story);

}  // namespace elapid
