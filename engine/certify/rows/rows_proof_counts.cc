// Steps about numbers of rows: at repeatable read and read committed.
#include <algorithm>

#include "engine/certify/rows/rows_proof_check.h"

namespace elapid::certify {

using ProofReason = RowsProofStep::Reason;
using rows::RowOp;
using rows::ShownRow;

bool RowsProofCheck::is_never(const RowsProofStep& step, const RowOp& op, KeyId row,
                              std::uint32_t as) const {
  return effects_.carried_out(step.txn, step.mop, row, {}).maybe == 0 &&
         !may_be_first(op, step.txn, row, as) &&
         std::ranges::none_of(effects_.writers_of(row), [&](TxnId writer) {
           return may_be_left_by(writer, op, step.txn, row, as);
         });
}

std::vector<std::uint32_t> RowsProofCheck::contents(const RowOp& op) const {
  if (op.known != rows::Known::kBag) {
    return {kAsFound};
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t item = 0; item < rows_.shown(op).size(); ++item) {
    if (first_alike(op, item) == item) {
      all.push_back(item);
    }
  }
  return all;
}

std::uint32_t RowsProofCheck::first_alike(const RowOp& op, std::uint32_t item) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  std::uint32_t first = 0;
  while (!std::ranges::equal(rows_.fields(shown[first]), rows_.fields(shown[item]))) {
    ++first;
  }
  return first;
}

std::optional<std::size_t> RowsProofCheck::number_found(
    const RowOp& op, std::span<const std::uint32_t> items) const {
  const auto size = static_cast<std::uint32_t>(rows_.shown(op).size());
  if (op.known != rows::Known::kBag) {
    return items.empty() ? std::optional<std::size_t>(op.count) : std::nullopt;
  }
  std::size_t number = 0;
  for (std::uint32_t item = 0; item < size; ++item) {
    number += std::ranges::find(items, first_alike(op, item)) != items.end() ? 1U : 0U;
  }
  const bool are_contents = std::ranges::all_of(
      items, [&](std::uint32_t item) { return item < size && first_alike(op, item) == item; });
  return are_contents ? std::optional(number) : std::nullopt;
}

const char* RowsProofCheck::flaw_of_count(const RowsProofStep& step) const {
  const RowOp* op = operation(step.txn, step.mop);
  if (op == nullptr || !effects_.is_repeatable() || !op->finds_unnamed() ||
      op->known == rows::Known::kNothing) {
    return "the operation does not say how many rows it found";
  }
  const auto number = number_found(*op, step.items);
  if (!number) {
    return "the operation did not find such rows";
  }
  if (!causes_.leaves_out(step, step.txn)) {
    return "the transaction may not have taken effect";
  }
  std::vector<std::uint32_t> inside =
      op->known == rows::Known::kBag ? step.items : std::vector{kAsFound};
  if (step.reason == ProofReason::kAtLeast) {
    return may_be_found(step, *op, inside) < *number ? nullptr : "so many rows may match";
  }
  const std::size_t all = op->known == rows::Known::kBag ? rows_.shown(*op).size() : op->count;
  const bool is_all = op->known != rows::Known::kAny && (op->first == 0 || all < op->first);
  return is_all && must_be_found(step, *op, inside) > *number ? nullptr : "no more rows must match";
}

std::size_t RowsProofCheck::may_be_found(const RowsProofStep& step, const RowOp& op,
                                         std::span<const std::uint32_t> ways) const {
  std::size_t number = 0;
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    const bool may_be =
        rows_.is_row(row) && std::ranges::any_of(ways, [&](std::uint32_t as) {
          return !has(step, found(step.txn, step.mop, row, as)) && !is_never(step, op, row, as);
        });
    number += may_be ? 1U : 0U;
  }
  return number;
}

std::size_t RowsProofCheck::must_be_found(const RowsProofStep& step, const RowOp& op,
                                          std::span<const std::uint32_t> ways) const {
  std::set<KeyId> rows;
  for (const RowsChoice& choice : step.clause) {
    if (choice == found(step.txn, step.mop, choice.row, kAsFound, false)) {
      rows.insert(choice.row);
    }
  }
  const std::vector<std::uint32_t> all = contents(op);
  return static_cast<std::size_t>(std::ranges::count_if(rows, [&](KeyId row) {
    return std::ranges::all_of(all, [&](std::uint32_t as) {
      return std::ranges::find(ways, as) != ways.end() ||
             has(step, found(step.txn, step.mop, row, as)) || is_never(step, op, row, as);
    });
  }));
}

}  // namespace elapid::certify
