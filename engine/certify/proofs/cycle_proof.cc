#include "engine/certify/proofs/cycle_proof.h"

#include <algorithm>
#include <limits>
#include <span>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/open_choices.h"
#include "engine/certify/kernel/proof_loop.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/operations/possible_writers.h"
#include "engine/certify/patience.h"

namespace elapid {

namespace certify {

namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// What a cycle with anti-dependencies must be like to be forbidden.
struct ShapeRule {
  std::size_t most_rw = 1;
  std::size_t most_edges = kAnyNumber;
  std::size_t most_readers = kAnyNumber;  ///< transactions that write nothing
  bool is_on_one_key = false;             ///< and the other edges are ww
  bool enters_before_rw = false;  ///< an rw leaves from a read that the edge before comes before
};

ShapeRule rule_of(CycleShape shape) {
  switch (shape) {
    case CycleShape::kCursor:
      return {.is_on_one_key = true};
    case CycleShape::kPair:
      return {.most_edges = 2};
    case CycleShape::kMonotonic:
      return {.enters_before_rw = true};
    case CycleShape::kSingle:
      return {};
    case CycleShape::kSnapshots:
      return {.most_rw = kAnyNumber, .enters_before_rw = true};
    case CycleShape::kUpdates:
      return {.most_rw = kAnyNumber, .most_readers = 1};
  }
  return {};
}

class ForbiddenShapes : public CycleAxioms<ForbiddenShapes> {
 public:
  ForbiddenShapes(const History& history, CycleLevel level, Patience& patience)
      : history_(history),
        rule_(rule_of(level.shape)),
        writers_(history, level.reads),
        nothing_proved_(history, level.reads, writers_, patience) {}

  /// Forgets what was proved.
  void begin() { choices_.emplace(nothing_proved_); }

  [[nodiscard]] OpenChoices& choices() { return *choices_; }

  /// All reads of the transactions that the cycle names: an edge may come in by any of them.
  Flaw open(const ProofStep& step) {
    for (const OrderEdge& edge : step.cycle) {
      const auto reads = is_participant(history_, edge.to) ? writers_.reads(edge.to) : std::nullopt;
      for (std::size_t i = 0; reads && i < reads->size(); ++i) {
        choices_->open(edge.to, (*reads)[i].op.key());
      }
    }
    if (step.clause.empty() && step.cycle.empty()) {
      choices_->open_all_reads();
    }
    return {};
  }

  Flaw check_cycle(std::span<const OrderEdge> cycle) {
    if (Flaw flaw = check_links(history_, cycle, [](const OrderEdge&) { return false; })) {
      return flaw;
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (!holds(cycle[i])) {
        return "edge " + std::to_string(i + 1) + " does not hold at this level";
      }
    }
    return has_shape(cycle) ? Flaw() : "the level does not forbid a cycle of this shape";
  }

 private:
  using Edges = std::span<const OrderEdge>;

  [[nodiscard]] bool is_before(TxnId first, TxnId second) const {
    return choices_->is_before(first, second) || is_initial_txn(first);
  }

  [[nodiscard]] bool is_initial_txn(TxnId txn) const {
    return txn == history_.info().initial_txn && history_.committed(txn);
  }

  [[nodiscard]] bool holds(const OrderEdge& edge) {
    switch (edge.relation) {
      case Relation::kWw:
        return writers_.writes(edge.from, edge.key) && writers_.writes(edge.to, edge.key) &&
               is_before(edge.from, edge.to);
      case Relation::kWr:
        return choices_->reads(edge.to, edge.key, edge.from);
      case Relation::kRw:
        return choices_->reads(edge.from, edge.key, edge.overwritten) &&
               writers_.writes(edge.to, edge.key) && edge.overwritten != edge.to &&
               (edge.overwritten.is_none() || is_before(edge.overwritten, edge.to));
      case Relation::kProcess:
        return is_initial_txn(edge.from);
      case Relation::kRealtime:
        break;
    }
    return false;
  }

  /// Cycles without anti-dependencies are always forbidden.
  [[nodiscard]] bool has_shape(Edges cycle) {
    const auto rw_count =
        static_cast<std::size_t>(std::ranges::count(cycle, Relation::kRw, &OrderEdge::relation));
    if (rw_count == 0) {
      return true;
    }
    const auto reader_count = static_cast<std::size_t>(std::ranges::count_if(
        cycle, [this](const OrderEdge& edge) { return !writes_something(history_, edge.from); }));
    const bool is_on_one_key = std::ranges::all_of(cycle, [&](const OrderEdge& edge) {
      return edge.key == cycle.front().key &&
             (edge.relation == Relation::kRw || edge.relation == Relation::kWw);
    });
    if (rw_count > rule_.most_rw || cycle.size() > rule_.most_edges ||
        reader_count > rule_.most_readers || (rule_.is_on_one_key && !is_on_one_key)) {
      return false;
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const OrderEdge& before = cycle[(i + cycle.size() - 1) % cycle.size()];
      if (rule_.enters_before_rw && cycle[i].relation == Relation::kRw &&
          !enters_before(before, cycle[i])) {
        return false;
      }
    }
    return true;
  }

  /// Whether an edge into a transaction ends at an operation that does not come after a read from
  /// which the anti-dependency leaves. The write at which a ww ends is the last one of the key.
  [[nodiscard]] bool enters_before(const OrderEdge& edge, const OrderEdge& rw) {
    const auto reads = writers_.reads(rw.from);
    std::optional<std::uint32_t> entry;
    if (edge.relation == Relation::kWw) {
      const std::span<const Op> ops = effective_ops(history_, rw.from);
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        entry = ops[i].is_write() && ops[i].key() == edge.key ? i : entry;
      }
    }
    bool is_before = false;
    for (std::size_t i = 0; reads && i < reads->size(); ++i) {
      const KeyRead& read = (*reads)[i];
      const auto saw = [&](const OrderEdge& by, TxnId writer) {
        return read.op.key() == by.key && choices_->is_seen(rw.from, i, read, writer);
      };
      if (!entry && edge.relation == Relation::kWr && saw(edge, edge.from)) {
        entry = read.mop;
      }
      is_before = is_before || (entry && *entry <= read.mop && saw(rw, rw.overwritten));
    }
    return is_before;
  }

  const History& history_;
  ShapeRule rule_;
  PossibleWriters writers_;
  const OpenChoices nothing_proved_;
  std::optional<OpenChoices> choices_;  // of the proof at hand
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_cycle_proof(const History& history, CycleLevel level,
                                             const Refutation& refutation,
                                             const std::function<bool()>& keep_going) {
  certify::Patience patience(keep_going);
  certify::ForbiddenShapes axioms(history, level, patience);
  return certify::check_steps(axioms, refutation.steps, patience);
}

}  // namespace elapid
