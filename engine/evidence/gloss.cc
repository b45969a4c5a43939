#include "engine/evidence/gloss.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace elapid {
namespace {

struct AnomalyText {
  std::string_view name;  ///< without -process and -realtime
  std::string_view gloss;
  std::string_view meaning;
};

constexpr std::array kTexts = {
    AnomalyText{
        "G-MSR", "a read of an older snapshot than before",
        "Dependencies lead from a read to a writer that it missed, and from there on, by any "
        "number of such reads, back to an operation that does not come after the first "
        "read. No sequence of ever newer snapshots explains the reads of the transactions."},
    AnomalyText{"G-SI", "a snapshot or its writes are out of order",
                "GSIa or GSIb: start and commit times contradict the dependencies."},
    AnomalyText{"G-SIb", "a start that missed a commit",
                "A cycle of dependencies and start orders with exactly one anti-dependency."},
    AnomalyText{
        "G-cursor", "a lost update",
        "A transaction reads a key and overwrites it, and another transaction writes the key "
        "in between: a cycle with one anti-dependency, and all its edges on one key."},
    AnomalyText{"G-monotonic", "a read that goes back behind an earlier one",
                "A transaction reads from another one or overwrites it, and a later read misses "
                "what that one depends on: a cycle with one anti-dependency that comes back to an "
                "operation which is not after the read."},
    AnomalyText{
        "G-nonadjacent-item",
        "reads that miss writes, never twice in a row: no snapshots explain it",
        "A cycle of dependencies in which no two anti-dependencies follow each other. Under "
        "snapshot isolation each cycle has two in a row."},
    AnomalyText{"G-nonadjacent",
                "reads that miss writes, never twice in a row: no snapshots explain it",
                "A cycle of dependencies in which no two anti-dependencies follow each other, some "
                "of them on predicates. Under snapshot isolation each cycle has two in a row."},
    AnomalyText{"G-single-item", "read skew",
                "A cycle of dependencies with exactly one anti-dependency: a transaction sees some "
                "effects of another one, directly or by way of others, and misses some."},
    AnomalyText{
        "G-single", "read skew",
        "As G-single-item, with an anti-dependency on a predicate: what a transaction found "
        "lacks a row, or holds an old one."},
    AnomalyText{"G-update", "update transactions in no serial order",
                "A cycle of dependencies among transactions that write and at most one that only "
                "reads, with at least one anti-dependency."},
    AnomalyText{
        "G0", "a cycle of writes",
        "Two or more transactions overwrite each other in a cycle: on one key the first "
        "wrote before the second, on another one the second before the first. The writes of "
        "transactions are mixed."},
    AnomalyText{"G1", "", "G1a, G1b or G1c."},
    AnomalyText{"G1a", "a read of an aborted write",
                "A committed transaction reads what an aborted transaction wrote."},
    AnomalyText{"G1b", "a read of an intermediate state",
                "A transaction reads what another one wrote to a key and overwrote itself later: a "
                "state in the midst of that transaction."},
    AnomalyText{"G1c", "circular information flow",
                "A cycle of write dependencies and read dependencies: each transaction overwrites "
                "or reads what the one before it wrote, and the first does so with the last."},
    AnomalyText{"G2-item", "reads that miss one another's writes (write skew)",
                "A cycle of dependencies with at least one anti-dependency: each transaction comes "
                "before the next one in any serial order, and the last before the first. With two "
                "or more anti-dependencies it is write skew."},
    AnomalyText{
        "G2", "reads that miss one another's writes (write skew)",
        "As G2-item, with an anti-dependency on a predicate: a transaction looked for rows, "
        "and another one then wrote a row that it would have found."},
    AnomalyText{"GSI", "", "GSIa or GSIb, by the timestamps that the database tells."},
    AnomalyText{"GSIa", "interference: a dependency on what was not committed at the start",
                "A transaction reads from or overwrites another one that had not committed when it "
                "started, by the timestamps that the database tells."},
    AnomalyText{
        "GSIb", "missed effects: a snapshot without what was committed before it",
        "A transaction does not see what was committed before it started, by the timestamps "
        "that the database tells."},
    AnomalyText{"cycle-search-timeout", "",
                "The search for cycles reached its budget. It says nothing about the history."},
    AnomalyText{"cyclic-versions", "versions without an order",
                "What reads and writes tell of the order of a key's versions is a cycle."},
    AnomalyText{"dirty-update", "a write on top of an aborted one",
                "A committed transaction appends to a list that holds what an aborted transaction "
                "appended."},
    AnomalyText{"duplicate-elements", "",
                "A list that was read holds an element twice, which was appended once."},
    AnomalyText{
        "empty-transaction-graph", "nothing to check",
        "No transaction depends on another one, so that the history shows nothing about any "
        "level."},
    AnomalyText{"future-read", "",
                "A transaction reads a value that it writes itself, but only after the read."},
    AnomalyText{"garbage-read", "a read of a value that no transaction wrote",
                "A transaction reads a value that no operation of the history wrote."},
    AnomalyText{"incompatible-order", "reads that no order of writes explains",
                "Two reads of a list show its elements in two orders, and neither order begins "
                "with the other: no order of the appends explains both."},
    AnomalyText{"internal", "a transaction that contradicts itself",
                "A transaction reads a key and does not find what it had written or read before in "
                "the same transaction."},
    AnomalyText{"lost-update", "",
                "Two transactions read the same version of a key, and both write the key. One "
                "overwrites the other without having seen it."},
    AnomalyText{"mixed-levels", "reads that no commit order lets each level allow",
                "Each transaction asks for a level of its own. No order of their commits lets each "
                "of them read what its level allows."},
    AnomalyText{"predicate-read-miss", "",
                "A transaction looked for rows by a predicate and did not find one that it had to "
                "find."},
    AnomalyText{"write-skew", "",
                "Two transactions each read what the other one writes, and neither sees the "
                "other's write. No serial order explains both."},
};

constexpr AnomalyText kNoOrder = {
    "-cycle-exists", "",
    "Each execution that explains the reads closes some cycle that the level forbids. The proof "
    "takes apart all cases; no single cycle stands for them."};

/// The name of a type without its suffix, and the suffix.
struct Parts {
  std::string_view base;
  std::string_view suffix;
};

Parts parts_of(AnomalyType type) {
  for (const std::string_view suffix : {"-process", "-realtime"}) {
    if (name(type).ends_with(suffix)) {
      return {name(type).substr(0, name(type).size() - suffix.size()), suffix};
    }
  }
  return {name(type), ""};
}

const AnomalyText* find_text(std::string_view base) {
  const auto* entry = std::ranges::find(kTexts, base, &AnomalyText::name);
  return entry == kTexts.end() ? nullptr : entry;
}

}  // namespace

std::string gloss(AnomalyType type) {
  const auto [base, suffix] = parts_of(type);
  const AnomalyText* text = find_text(base);
  const std::string_view addition = suffix == "-process"    ? ", with session order"
                                    : suffix == "-realtime" ? ", with real time"
                                                            : "";
  return text == nullptr ? "" : std::string(text->gloss) + std::string(addition);
}

std::string meaning(AnomalyType type) {
  const auto [base, suffix] = parts_of(type);
  const AnomalyText* text = find_text(base);
  const std::string_view addition =
      suffix == "-process" ? " At least one edge is the order of two transactions in a session."
      : suffix == "-realtime"
          ? " At least one edge is real time: one transaction ended before the other one began."
          : "";
  return std::string((text == nullptr ? kNoOrder : *text).meaning) + std::string(addition);
}

}  // namespace elapid
