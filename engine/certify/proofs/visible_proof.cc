#include "engine/certify/proofs/visible_proof.h"

#include <algorithm>
#include <span>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/open_choices.h"
#include "engine/certify/kernel/proof_loop.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/operations/possible_writers.h"
#include "engine/certify/orders/commit_places.h"

namespace elapid::certify {

/// What a history shows and leaves open before anything is proved. Levels with the same demands on
/// single reads share it.
class UnprovedHistory {
 public:
  UnprovedHistory(const History& history, OrderLevel level, Patience& patience)
      : level_(level), writers_(history, level), choices_(history, level, writers_, patience) {}

  UnprovedHistory(const UnprovedHistory&) = delete;
  UnprovedHistory& operator=(const UnprovedHistory&) = delete;

  [[nodiscard]] bool serves(OrderLevel level) const {
    return reads_one_state(level) == reads_one_state(level_) &&
           reads_own_writes(level) == reads_own_writes(level_);
  }

  [[nodiscard]] const PossibleWriters& writers() const { return writers_; }

  [[nodiscard]] const OpenChoices& choices() const { return choices_; }

 private:
  OrderLevel level_;
  PossibleWriters writers_;
  OpenChoices choices_;
};

namespace {

class VisibilityAxioms : public CycleAxioms<VisibilityAxioms> {
 public:
  VisibilityAxioms(const History& history, OrderLevel level, const UnprovedHistory& unproved)
      : history_(history),
        level_(level),
        bound_(session_bound(level)),
        writers_(unproved.writers()),
        nothing_proved_(unproved.choices()) {}

  /// Forgets what was proved.
  void begin() { choices_.emplace(nothing_proved_); }

  [[nodiscard]] OpenChoices& choices() { return *choices_; }

  Flaw open(const ProofStep& step) {
    choices_->open(step);
    return {};
  }

  /// A transaction may be visible to its own read, if what it wrote comes back to it.
  Flaw check_cycle(std::span<const OrderEdge> cycle) {
    const auto is_rw = [](const OrderEdge& edge) { return edge.relation == Relation::kRw; };
    if (Flaw flaw = check_links(history_, cycle, is_rw)) {
      return flaw;
    }
    const auto rw = std::ranges::find_if(cycle, is_rw);
    if (rw == cycle.end()) {
      return check_kept_order(cycle);
    }
    return rw == cycle.begin() ? check_axiom(cycle.front(), cycle.subspan(1))
                               : "an anti-dependency stands behind other edges";
  }

 private:
  using Edges = std::span<const OrderEdge>;

  Flaw check_kept_order(Edges cycle) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const OrderEdge& before = cycle[(i + cycle.size() - 1) % cycle.size()];
      if (!is_kept(cycle[i], before)) {
        return "edge " + std::to_string(i + 1) + " does not hold at this level";
      }
    }
    return {};
  }

  bool is_kept(const OrderEdge& edge, const OrderEdge& before) {
    switch (edge.relation) {
      case Relation::kWw:
        return (edge.key.is_none() ||
                (writers_.writes(edge.from, edge.key) && writers_.writes(edge.to, edge.key))) &&
               choices_->is_before(edge.from, edge.to);
      case Relation::kWr:
        return is_read_from(edge);
      case Relation::kProcess:
        return edge.from == history_.info().initial_txn
                   ? history_.committed(edge.from)
                   : precedes_in_session(history_, edge.from, edge.to) && is_bound(edge, before);
      case Relation::kRealtime:
        return level_.real_time && precedes_in_real_time(history_, edge.from, edge.to);
      case Relation::kRw:
        break;
    }
    return false;
  }

  bool is_read_from(const OrderEdge& edge) { return choices_->reads(edge.to, edge.key, edge.from); }

  [[nodiscard]] bool is_bound(const OrderEdge& edge, const OrderEdge& before) const {
    switch (bound_) {
      case SessionBound::kAll:
        return true;
      case SessionBound::kWriters:
        return writes_something(history_, edge.from) && writes_something(history_, edge.to);
      case SessionBound::kReadFrom:
        return before.relation == Relation::kWr && writes_something(history_, edge.to);
      case SessionBound::kNone:
        break;
    }
    return false;
  }

  /// `rw`: from the reader to a writer of the key that the path makes visible to it.
  Flaw check_axiom(const OrderEdge& rw, Edges path) {
    if (!writers_.writes(rw.to, rw.key) || rw.to == rw.overwritten) {
      return "the visible transaction does not write the key, or is the source of the read";
    }
    if (!rw.overwritten.is_none() && !choices_->is_before(rw.overwritten, rw.to)) {
      return "the transaction that was read from need not come before the one that is visible";
    }
    if (!choices_->reads(rw.from, rw.key, rw.overwritten)) {
      return "the reader need not have read from the writer that the edge names";
    }
    return makes_visible(rw, path) ? Flaw() : "the path does not make the writer visible";
  }

  bool makes_visible(const OrderEdge& rw, Edges path) {
    const auto has_form = [&](std::initializer_list<Relation> form) {
      return std::ranges::equal(path, form, {}, &OrderEdge::relation) &&
             std::ranges::all_of(path, [this](const OrderEdge& edge) { return is_step(edge); });
    };
    using enum Relation;
    const Visibility level = level_.visibility;
    const bool is_pram = level == Visibility::kPram;
    switch (level) {
      case Visibility::kReadCommitted:
        return has_form({kWr}) &&
               choices_->sees_first(rw.from, path.front().from, rw.key, rw.overwritten);
      case Visibility::kReadAtomic:
        return has_form({kWr}) || (level_.sessions && has_form({kProcess}));
      case Visibility::kCausal:
        return !path.empty() &&
               std::ranges::all_of(path, [this](const OrderEdge& edge) { return is_step(edge); });
      case Visibility::kWritesFollowReads:
        return has_form({kWr, kWr}) || has_form({kWr, kProcess, kWr});
      case Visibility::kPram:
      case Visibility::kMonotonicWrites:
      case Visibility::kMonotonicReads:
      case Visibility::kReadYourWrites:
        return ((is_pram || level == Visibility::kMonotonicWrites) && has_form({kProcess, kWr})) ||
               ((is_pram || level == Visibility::kMonotonicReads) && has_form({kWr, kProcess})) ||
               ((is_pram || level == Visibility::kReadYourWrites) && has_form({kProcess}));
      default:
        return false;
    }
  }

  bool is_step(const OrderEdge& edge) {
    return edge.relation == Relation::kWr
               ? is_read_from(edge)
               : level_.sessions && edge.relation == Relation::kProcess &&
                     precedes_in_session(history_, edge.from, edge.to);
  }

  const History& history_;
  OrderLevel level_;
  SessionBound bound_;
  const PossibleWriters& writers_;
  const OpenChoices& nothing_proved_;
  std::optional<OpenChoices> choices_;  // of the proof at hand
};

}  // namespace

VisibleProofs::VisibleProofs(const History& history, const std::function<bool()>& keep_going)
    : history_(history), patience_(keep_going) {}

VisibleProofs::~VisibleProofs() = default;

std::optional<std::string> VisibleProofs::check(OrderLevel level, const Refutation& refutation) {
  if (!unproved_ || !unproved_->serves(level)) {
    unproved_.reset();  // first, so that there is one at a time
    unproved_ = std::make_unique<const UnprovedHistory>(history_, level, patience_);
  }
  VisibilityAxioms axioms(history_, level, *unproved_);
  return check_steps(axioms, refutation.steps, patience_);
}

}  // namespace elapid::certify
