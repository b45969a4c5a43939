#include "engine/certify/proofs/refutation.h"

#include <algorithm>
#include <span>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/choices.h"
#include "engine/certify/kernel/proof_loop.h"
#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/key_orders.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/patience.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace certify {

namespace {

class OrderAxioms : public CycleAxioms<OrderAxioms> {
 public:
  OrderAxioms(const History& history, OrderLevel level, const Assumptions& assumptions)
      : history_(history),
        level_(level),
        effects_(history),
        choices_(history, effects_),
        assumptions_(of_versions(assumptions, history)),
        key_orders_(history, effects_, assumptions_) {}

  void begin() {}  // one proof is checked

  [[nodiscard]] Choices& choices() { return choices_; }

  [[nodiscard]] Flaw open(const ProofStep&) const { return {}; }

  Flaw check_cycle(std::span<const OrderEdge> cycle) {
    Ends first;
    Ends before;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      Ends ends;
      Flaw flaw = check_edge(cycle[i], ends);
      if (flaw && !is_exchangeable(cycle, i)) {
        return "edge " + std::to_string(i + 1) + " (" +
               std::string(relation_name(cycle[i].relation)) + "): " + *flaw;
      }
      if (i == 0) {
        first = ends;
      } else if (!joins(cycle[i - 1].to, before, cycle[i].from, ends)) {
        return "edge " + std::to_string(i) + " does not lead to the edge after it";
      }
      before = ends;
    }
    return joins(cycle.back().to, before, cycle.front().from, first)
               ? Flaw()
               : "the last edge does not lead back to the first";
  }

 private:
  [[nodiscard]] bool is_serial() const { return level_.visibility == Visibility::kSerial; }

  /// Whether the cycle holds for either order of the edge's two writers, so that the proof need not
  /// know it. At snapshot isolation one of the writers commits before the other starts. Both write
  /// the key whose initial value the edge before read. Both read the initial value that the edge
  /// behind overwrites. So these two edges hold for either writer, also if they lead from the start
  /// of a transaction to its own commit.
  [[nodiscard]] bool is_exchangeable(std::span<const OrderEdge> cycle, std::size_t i) const {
    const OrderEdge& edge = cycle[i];
    const OrderEdge& before = cycle[(i + cycle.size() - 1) % cycle.size()];
    const OrderEdge& after = cycle[(i + 1) % cycle.size()];
    const auto is_of_initial = [](const OrderEdge& rw) {
      return rw.relation == Relation::kRw && rw.overwritten.is_none();
    };
    const auto fits = [&](TxnId txn) {
      return is_participant(history_, txn) && history_.committed(txn) &&
             effects_.writes(txn, edge.key) && effects_.writes(txn, before.key) &&
             choices_.reads(txn, after.key, TxnId::none());
    };
    return level_.visibility == Visibility::kSnapshot && edge.relation == Relation::kWw &&
           edge.from != edge.to && is_of_initial(before) && is_of_initial(after) &&
           before.to == edge.from && after.from == edge.to && fits(edge.from) && fits(edge.to);
  }

  /// Whether a walk may go on: from a start on to the commit, but not back.
  [[nodiscard]] bool joins(TxnId to, Ends arriving, TxnId from, Ends leaving) const {
    return to == from && (is_serial() || !arriving.to_commit || leaving.from_commit);
  }

  /// No transaction of a cycle need have taken effect: one that did not comes, as a writer, after
  /// all that did, was not read from and read nothing, so that no edge leads back from it.
  Flaw check_edge(const OrderEdge& edge, Ends& ends) {
    for (const TxnId txn : {edge.from, edge.to}) {
      if (!is_participant(history_, txn)) {
        return "transaction number " + std::to_string(txn.value) +
               " does not exist or did not take effect";
      }
    }
    if (edge.from == edge.to) {
      return kEdgeToItself;
    }
    switch (edge.relation) {
      case Relation::kWw:
        return check_ww(edge, ends);
      case Relation::kWr:
        return check_wr(edge);
      case Relation::kRw:
        return check_rw(edge, ends);
      case Relation::kProcess:
        return check_process(edge, ends);
      case Relation::kRealtime:
        return check_realtime(edge, ends);
    }
    return "an unknown relation";
  }

  Flaw check_ww(const OrderEdge& edge, Ends& ends) {
    ends.to_commit = level_.visibility == Visibility::kPrefix;
    for (const TxnId txn : {edge.from, edge.to}) {
      if (!effects_.writes(txn, edge.key)) {
        return not_written(txn);
      }
    }
    const bool holds = comes_before(edge.from, edge.to, edge.key) ||
                       choices_.appended_before(edge.from, edge.to, edge.key);
    return holds ? Flaw() : not_before(edge.from, edge.to);
  }

  [[nodiscard]] Flaw check_wr(const OrderEdge& edge) const {
    const bool holds = choices_.reads(edge.to, edge.key, edge.from) ||
                       shows_later(edge.from, edge.to, edge.key) ||
                       choices_.shows(edge.to, edge.key, edge.from);
    return holds ? Flaw() : not_read(edge.to, edge.from);
  }

  /// If `to` commits after the version that `from` read, it commits after `from` starts. If `to`
  /// commits after the version that `from` overwrote, it commits after `from` commits. Only prefix
  /// consistency uses the latter.
  Flaw check_rw(const OrderEdge& edge, Ends& ends) {
    const bool overwrote = choices_.overwritten_by(edge.from, edge.key) == edge.overwritten;
    ends = {.from_commit = overwrote && level_.visibility == Visibility::kPrefix,
            .to_commit = true};
    if (effects_.writes(edge.to, edge.key) && choices_.precedes(edge.from, edge.key, edge.to)) {
      ends.from_commit = false;
      return {};
    }
    if (!overwrote && !choices_.reads(edge.from, edge.key, edge.overwritten)) {
      return not_read(edge.from, edge.overwritten);
    }
    if (!effects_.writes(edge.to, edge.key)) {
      return not_written(edge.to);
    }
    return edge.overwritten.is_none() || comes_before(edge.overwritten, edge.to, edge.key)
               ? Flaw()
               : not_before(edge.overwritten, edge.to);
  }

  [[nodiscard]] bool comes_before(TxnId first, TxnId second, KeyId key) {
    return choices_.is_before(first, second) ||
           (effects_.writes(first, key) && effects_.writes(second, key) &&
            key_orders_.in_given_order(first, second));
  }

  /// Whether a transaction that read the key from `writer` precedes `reader` on the key. Then
  /// `reader` saw the same version or a later one.
  [[nodiscard]] bool shows_later(TxnId writer, TxnId reader, KeyId key) const {
    const bool reads = std::ranges::any_of(
        effects_.reads(reader), [key](const ExternalRead& read) { return read.key() == key; });
    return reads && std::ranges::any_of(choices_.readers_of(writer, key), [&](TxnId other) {
             return key_orders_.precedes(other, reader);
           });
  }

  [[nodiscard]] Flaw check_process(const OrderEdge& edge, Ends& ends) const {
    if (edge.from != history_.info().initial_txn && !level_.sessions &&
        key_orders_.in_session(edge.from, edge.to)) {
      return check_key_order(edge, ends);
    }
    if (!history_.committed(edge.from)) {
      return "it says nothing of what comes after " + txn_text(history_, edge.from);
    }
    if (edge.from == history_.info().initial_txn) {
      return {};
    }
    if (!level_.sessions) {
      return "the level does not know sessions";
    }
    return precedes_in_session(history_, edge.from, edge.to)
               ? Flaw()
               : txn_text(history_, edge.from) + " does not come before " +
                     txn_text(history_, edge.to) + " in a session";
  }

  /// The order of two transactions on a key.
  [[nodiscard]] Flaw check_key_order(const OrderEdge& edge, Ends& ends) const {
    const auto found =
        key_orders_.ends(edge.from, edge.to, level_.visibility == Visibility::kPrefix);
    if (!found) {
      return txn_text(history_, edge.from) + " and " + txn_text(history_, edge.to) +
             " do not order a key";
    }
    ends = *found;
    return {};
  }

  [[nodiscard]] Flaw check_realtime(const OrderEdge& edge, Ends& ends) const {
    if (!level_.real_time && key_orders_.in_real_time(edge.from, edge.to)) {
      return check_key_order(edge, ends);
    }
    if (!level_.real_time || !history_.info().has_real_time) {
      return "the level or the history does not know real time";
    }
    return precedes_in_real_time(history_, edge.from, edge.to)
               ? Flaw()
               : txn_text(history_, edge.from) + " did not complete before " +
                     txn_text(history_, edge.to) + " was invoked";
  }

  [[nodiscard]] std::string text(TxnId txn) const {
    return is_participant(history_, txn) ? txn_text(history_, txn) : "the initial state";
  }

  [[nodiscard]] std::string not_written(TxnId txn) const {
    return text(txn) + " does not write the key";
  }

  [[nodiscard]] std::string not_read(TxnId reader, TxnId source) const {
    return text(reader) + " need not have read from " + text(source);
  }

  [[nodiscard]] std::string not_before(TxnId first, TxnId second) const {
    return text(first) + " need not come before " + text(second);
  }

  const History& history_;
  OrderLevel level_;
  Effects effects_;
  Choices choices_;
  Assumptions assumptions_;
  KeyOrders key_orders_;
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_refutation(const History& history, OrderLevel level,
                                            const Refutation& refutation,
                                            const Assumptions& assumptions,
                                            const std::function<bool()>& keep_going) {
  certify::Patience patience(keep_going);
  certify::OrderAxioms axioms(history, level, assumptions);
  return certify::check_steps(axioms, refutation.steps, patience);
}

}  // namespace elapid
