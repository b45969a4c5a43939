// The open questions of a history as boolean variables, at levels at which each read counts by
// itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/certify/kernel/clauses.h"
#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/list_orders.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/operations/possible_writers.h"
#include "engine/certify/patience.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// The open questions of a history as variables: the writer that each read saw, the indeterminate
/// transactions that took effect, and the order of transactions. Copies share the history's facts.
class OpenChoices {
 public:
  OpenChoices(const History& history, const TxnLevels& levels, const PossibleWriters& writers,
              Patience& patience)
      : history_(history), writers_(writers), patience_(patience) {
    if (history.has_lists()) {
      effects_ = std::make_shared<const Effects>(history);
      shown_ = std::make_shared<const ShownLists>(history, levels);
      lists_ = std::make_shared<const ListOrders>(history, *effects_, *shown_);
      if (lists_->is_contradictory()) {
        clauses_.contradict();
      }
    }
    fate_.assign(history.txn_count(), Clauses::kFalse);
    bool has_indeterminate = false;
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      if (history.committed({t}) || (lists_ && lists_->took_effect({t}))) {
        fate_[t] = Clauses::kTrue;
        if (!writers.reads({t})) {
          clauses_.contradict();
        }
      } else if (writers.reads({t})) {
        fate_[t] = clauses_.new_variable();
      }
      has_indeterminate = has_indeterminate || history.status({t}) == TxnStatus::kIndeterminate;
    }
    if (has_indeterminate) {
      open_all_reads();
    }
  }

  /// The literal of a choice; nothing if it names a thing that the history does not have.
  [[nodiscard]] std::optional<Literal> literal(const Choice& choice) {
    if (!is_participant(history_, choice.first)) {
      return std::nullopt;
    }
    std::optional<Literal> literal;
    if (choice.kind == Choice::Kind::kTookEffect) {
      literal = fate_[choice.first.index()];
    } else if (choice.kind == Choice::Kind::kReads) {
      literal = saw_in_read(choice);
    } else if (choice.first != choice.second && is_participant(history_, choice.second)) {
      literal = before(choice.first, choice.second);
    }
    return literal && !choice.holds ? ~*literal : literal;
  }

  /// Whether the reader took effect and a read of the key saw the writer, under the assumptions.
  [[nodiscard]] bool reads(TxnId reader, KeyId key, TxnId writer) {
    const std::vector<Literal> reads = literals_of(reader, key, writer);
    return std::ranges::any_of(reads, [this](Literal saw) { return clauses_.is_true(saw); });
  }

  /// Makes variables for the reads of a key; nothing may be assumed.
  void open(TxnId reader, KeyId key) { (void)literals_of(reader, key, TxnId::none()); }

  /// Makes the variables of the reads in a step's wr and rw edges. A step that says that the
  /// choices contradict one another makes those of all reads. Nothing may be assumed.
  void open(const ProofStep& step) {
    for (const OrderEdge& edge : step.cycle) {
      if (edge.relation == Relation::kWr && is_participant(history_, edge.to)) {
        open(edge.to, edge.key);
      } else if (edge.relation == Relation::kRw && is_participant(history_, edge.from)) {
        open(edge.from, edge.key);
      }
    }
    if (step.clause.empty() && step.cycle.empty()) {
      open_all_reads();
    }
  }

  /// Makes the variables of all reads: reads by and of indeterminate transactions decide whether
  /// these took effect. A read that no transaction can have served is a contradiction. After one
  /// every clause holds, and no further reads matter.
  void open_all_reads() {
    for (std::uint32_t t = 0; t < history_.txn_count() && !clauses_.is_contradictory(); ++t) {
      const auto all = writers_.reads({t});
      for (std::size_t i = 0; all && i < all->size() && patience_.goes_on(); ++i) {
        open_read({t}, i, writers_.of({t}, (*all)[i]));
      }
    }
  }

  void prove(std::span<const Literal> clause) {
    NoRules none;
    clauses_.prove(clause, none);
  }

  [[nodiscard]] bool assume_false(std::span<const Literal> clause) {
    NoRules none;
    return clauses_.assume_false(clause, none);
  }

  void take_back() {
    NoRules none;
    clauses_.take_back(none);
  }

  /// Whether the reader's external read number `i` saw the writer, under the assumptions.
  [[nodiscard]] bool is_seen(TxnId reader, std::size_t i, const KeyRead& read, TxnId writer) {
    const std::optional<Literal> literal = saw(reader, i, read, writer);
    return literal && clauses_.is_true(*literal);
  }

  /// Whether a read of the reader that saw `writer` comes before one of the key that saw `source`.
  [[nodiscard]] bool sees_first(TxnId reader, TxnId writer, KeyId key, TxnId source) {
    const auto reads = writers_.reads(reader);
    bool has_seen = false;
    for (std::size_t i = 0; reads && i < reads->size(); ++i) {
      const KeyRead& read = (*reads)[i];
      if (has_seen && read.op.key() == key && is_seen(reader, i, read, source)) {
        return true;
      }
      has_seen = has_seen || is_seen(reader, i, read, writer);
    }
    return false;
  }

  /// Whether lists show that `writer` overwrote the version of `source`; none(): the initial
  /// one.
  [[nodiscard]] bool overwrote(TxnId writer, KeyId key, TxnId source) const {
    return lists_ && lists_->overwritten_by(writer, key) == source;
  }

  /// Whether the proof, or a list, puts the first transaction before the second.
  [[nodiscard]] bool is_before(TxnId first, TxnId second) const {
    if (!is_participant(history_, first) || !is_participant(history_, second)) {
      return false;
    }
    if (lists_ && lists_->before(first, second)) {
      return true;
    }
    const auto found = before_.find(std::minmax(first, second));
    return found != before_.end() &&
           clauses_.is_true(first < second ? found->second : ~found->second);
  }

 private:
  using ReadName = std::tuple<TxnId, std::size_t, TxnId>;

  /// The literal for "the read that the choice names saw the writer".
  [[nodiscard]] std::optional<Literal> saw_in_read(const Choice& choice) {
    const auto all = writers_.reads(choice.first);
    std::uint32_t number = 0;
    for (std::size_t i = 0; all && i < all->size(); ++i) {
      if ((*all)[i].op.key() == choice.key && number++ == choice.length) {
        return saw(choice.first, i, (*all)[i], choice.second).value_or(Clauses::kFalse);
      }
    }
    return std::nullopt;
  }

  /// For each external read of the key that may have seen the writer: the literal for "it did".
  [[nodiscard]] std::vector<Literal> literals_of(TxnId reader, KeyId key, TxnId writer) {
    const auto all = writers_.reads(reader);
    std::vector<Literal> literals;
    for (std::size_t i = 0; all && i < all->size(); ++i) {
      const std::optional<Literal> literal =
          (*all)[i].op.key() == key ? saw(reader, i, (*all)[i], writer) : std::nullopt;
      if (literal) {
        literals.push_back(*literal);
      }
    }
    return literals;
  }

  /// The literal for "the reader took effect, and its external read number `i` saw the writer";
  /// nothing if the read cannot have seen it.
  [[nodiscard]] std::optional<Literal> saw(TxnId reader, std::size_t i, const KeyRead& read,
                                           TxnId writer) {
    const std::vector<TxnId> candidates = writers_.of(reader, read);
    open_read(reader, i, candidates);
    if (std::ranges::find(candidates, writer) == candidates.end()) {
      return std::nullopt;
    }
    return candidates.size() == 1 ? fate_[reader.index()] : saw_.at({reader, i, writer});
  }

  Literal before(TxnId first, TxnId second) {
    const auto [entry, is_new] = before_.try_emplace(std::minmax(first, second));
    if (is_new) {
      entry->second = clauses_.new_variable();
    }
    return first < second ? entry->second : ~entry->second;
  }

  /// If the reader took effect, one of the candidates is the writer, which took effect too.
  void open_read(TxnId reader, std::size_t i, const std::vector<TxnId>& candidates) {
    if (!opened_.emplace(reader, i).second) {
      return;
    }
    const Literal fate = fate_[reader.index()];
    std::vector<Literal> one_of = {~fate};
    for (const TxnId writer : candidates) {
      const Literal saw = candidates.size() == 1 ? fate : clauses_.new_variable();
      if (!writer.is_none()) {
        prove(std::array{~saw, fate_[writer.index()]});
      }
      if (candidates.size() == 1) {
        return;
      }
      prove(std::array{~saw, fate});
      for (const Literal other : std::span(one_of).subspan(1)) {
        prove(std::array{~saw, ~other});
      }
      one_of.push_back(saw);
      saw_.emplace(ReadName{reader, i, writer}, saw);
    }
    prove(one_of);
  }

  const History& history_;
  const PossibleWriters& writers_;
  Patience& patience_;
  std::shared_ptr<const Effects> effects_;  // of lists, like the next two
  std::shared_ptr<const ShownLists> shown_;
  std::shared_ptr<const ListOrders> lists_;
  Clauses clauses_;
  std::vector<Literal> fate_;
  std::set<std::pair<TxnId, std::size_t>> opened_;
  std::map<ReadName, Literal> saw_;
  std::map<std::pair<TxnId, TxnId>, Literal> before_;
};

}  // namespace elapid::certify
