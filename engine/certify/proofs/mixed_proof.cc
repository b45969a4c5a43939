#include "engine/certify/proofs/mixed_proof.h"

#include <algorithm>
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

class MixedAxioms : public CycleAxioms<MixedAxioms> {
 public:
  MixedAxioms(const History& history, const TxnLevels& levels, Patience& patience)
      : history_(history),
        levels_(levels),
        writers_(history, levels),
        nothing_proved_(history, levels, writers_, patience) {}

  /// Forgets what was proved.
  void begin() { choices_.emplace(nothing_proved_); }

  [[nodiscard]] OpenChoices& choices() { return *choices_; }

  Flaw open(const ProofStep& step) {
    choices_->open(step);
    return {};
  }

  Flaw check_cycle(std::span<const OrderEdge> cycle) {
    if (Flaw flaw = check_links(history_, cycle, [](const OrderEdge&) { return false; })) {
      return flaw;
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const OrderEdge& before = cycle[(i + cycle.size() - 1) % cycle.size()];
      if (Flaw flaw = check_edge(cycle, i, before)) {
        return "edge " + std::to_string(i + 1) + " (" +
               std::string(relation_name(cycle[i].relation)) + "): " + *flaw;
      }
    }
    return {};
  }

 private:
  using Edges = std::span<const OrderEdge>;

  Flaw check_edge(Edges cycle, std::size_t i, const OrderEdge& before) {
    const OrderEdge& edge = cycle[i];
    if (edge.relation == Relation::kRw) {
      const bool follows = choices_->overwrote(edge.from, edge.key, edge.overwritten);
      Flaw flaw = check_overwritten(edge, follows);
      return flaw || follows ? flaw : check_visible(cycle, i, before);
    }
    return is_kept(edge) ? Flaw() : "it does not hold at the level of " + text(edge.to);
  }

  bool is_kept(const OrderEdge& edge) {
    switch (edge.relation) {
      case Relation::kWw:
        return writers_.writes(edge.from, edge.key) && writers_.writes(edge.to, edge.key) &&
               choices_->is_before(edge.from, edge.to);
      case Relation::kWr:
        return choices_->reads(edge.to, edge.key, edge.from);
      case Relation::kProcess:
        return edge.from == history_.info().initial_txn
                   ? history_.committed(edge.from)
                   : levels_.of(edge.to).sessions &&
                         precedes_in_session(history_, edge.from, edge.to);
      case Relation::kRealtime:
        return levels_.of(edge.to).real_time && precedes_in_real_time(history_, edge.from, edge.to);
      case Relation::kRw:
        break;
    }
    return false;
  }

  /// The reader saw a version before that of the writer, or, with `follows`, overwrote such a
  /// version next. Then it commits before the writer.
  Flaw check_overwritten(const OrderEdge& rw, bool follows) {
    if (!writers_.writes(rw.to, rw.key) || rw.to == rw.overwritten) {
      return text(rw.to) + " does not write the key, or was read from";
    }
    if (!follows && !choices_->reads(rw.from, rw.key, rw.overwritten)) {
      return text(rw.from) + " need not have read from the writer that the edge names";
    }
    return rw.overwritten.is_none() || choices_->is_before(rw.overwritten, rw.to)
               ? Flaw()
               : text(rw.overwritten) + " need not come before " + text(rw.to);
  }

  /// Checks that the level of the reader makes the writer visible to it.
  Flaw check_visible(Edges cycle, std::size_t i, const OrderEdge& before) {
    const OrderEdge& rw = cycle[i];
    const Visibility level = levels_.of(rw.from).visibility;
    const auto it_is_visible = [&](bool holds) {
      return holds ? Flaw() : "at its level " + text(rw.from) + " may miss " + text(rw.to);
    };
    switch (level) {
      case Visibility::kSerial:
        return {};
      case Visibility::kCursor:
        return it_is_visible(writers_.writes(rw.from, rw.key));
      case Visibility::kSnapshot:
        return it_is_visible(before.relation != Relation::kRw);
      case Visibility::kPrefix:
        return it_is_visible(before.relation != Relation::kRw && before.relation != Relation::kWw);
      case Visibility::kCausal:
      case Visibility::kReadAtomic:
      case Visibility::kReadCommitted:
        return it_is_visible(makes_visible(rw, rest(cycle, i), level));
      default:
        return it_is_visible(false);
    }
  }

  /// The edges from behind edge `i` around to it.
  [[nodiscard]] static std::vector<OrderEdge> rest(Edges cycle, std::size_t i) {
    std::vector<OrderEdge> path(cycle.begin() + static_cast<std::ptrdiff_t>(i) + 1, cycle.end());
    path.insert(path.end(), cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(i));
    return path;
  }

  bool makes_visible(const OrderEdge& rw, Edges path, Visibility level) {
    const auto is_step = [](const OrderEdge& edge) {
      return edge.relation == Relation::kWr || edge.relation == Relation::kProcess;
    };
    if (path.empty() || !std::ranges::all_of(path, is_step)) {
      return false;
    }
    return level == Visibility::kCausal ||
           (path.size() == 1 &&
            (level == Visibility::kReadAtomic ||
             (path[0].relation == Relation::kWr &&
              choices_->sees_first(rw.from, path[0].from, rw.key, rw.overwritten))));
  }

  [[nodiscard]] std::string text(TxnId txn) const {
    return is_participant(history_, txn) ? txn_text(history_, txn) : "the initial state";
  }

  const History& history_;
  const TxnLevels& levels_;
  PossibleWriters writers_;
  OpenChoices nothing_proved_;
  std::optional<OpenChoices> choices_;  // of the proof at hand
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_mixed_proof(const History& history, const TxnLevels& levels,
                                             const Refutation& refutation,
                                             const std::function<bool()>& keep_going) {
  if (certify::has_foreign_operations(history)) {
    return certify::kOtherWorkload;
  }
  certify::Patience patience(keep_going);
  certify::MixedAxioms axioms(history, levels, patience);
  return certify::check_steps(axioms, refutation.steps, patience);
}

}  // namespace elapid
