// Prints operations on rows, in the notation of engine/rows/rows.h or in words.
#pragma once

#include <span>
#include <string>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::rows {

/// An operation of kind OpKind::kRow as EDN. If rows are single values, in Elle's notation: `[:w 7
/// 15]`, `[:rp [:= 3] {7 3}]`.
[[nodiscard]] std::string text(const History& history, Op op);

/// The same, but a result of many rows shows only the first two rows and those with these keys, and
/// `…` for the others: `[:rp [:= :age 15] {1 {:age 15} 2 {:age 15} … 47 {:age 15} …}]`. Long names
/// are cut: see shown_name().
[[nodiscard]] std::string elided_text(const History& history, Op op, std::span<const ValueId> keys);

/// text() with all rows; long names are cut.
[[nodiscard]] std::string shown_text(const History& history, Op op);

/// text() before the result is known: `[:rp [:= 3] nil]`, `[:r 7 nil]`.
[[nodiscard]] std::string text_as_asked(const History& history, Op op);

/// text() at the completion. A read without a known result is `[:r 7]`, whatever the outcome of its
/// transaction.
[[nodiscard]] std::string text_as_completed(const History& history, Op op);

/// The contents after a transaction of inserts: `{7 {:age 15}}`. If versions have names, the
/// inserts.
[[nodiscard]] std::string contents_text(const History& history, std::span<const Op> inserts);

/// elided_text() in words: `read rows with :age = 15: 1 {:age 15}, 2 {:age 15}, …, 47 {:age 15},
/// …`, `insert row 7 {:age 15}`, `delete all rows: none`.
[[nodiscard]] std::string elided_words(const History& history, Op op,
                                       std::span<const ValueId> keys);

/// The predicate as EDN: `[:in :age 13 19]`.
[[nodiscard]] std::string text(const History& history, const Predicate& predicate);

}  // namespace elapid::rows
