// The open questions of a history as boolean variables, and the known answers.
//
// An acceptable execution is a choice of the indeterminate transactions that took effect, and an
// order of events. In each one, a choice of order_evidence.h is true or false. Transactions that
// did not take effect count as executed after all others, one after another by number, without
// reads: then every edge that is claimed for them holds too.
//   before(a, b)    a commits before b
//   reads(r, k, w)  r took effect, and w was the last to write k before r started
//   reads(r, k, w, n)  r took effect, and the first n elements of the list of k that it read end in
//                      those of w
//   took effect(x)  x took effect
// Beside the proved clauses, these rules hold. Each external read of a transaction that took effect
// has exactly one source (read_sources.h), which took effect. The initial transaction comes before
// all others. Lists order their writers (list_orders.h), and each position of a list with repeated
// elements has one writer (list_places.h). A transaction that contradicts itself did not take
// effect. An indeterminate transaction that cannot have served a read is assumed not to have taken
// effect: an execution stays acceptable without it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/certify/kernel/clauses.h"
#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/list_orders.h"
#include "engine/certify/operations/list_places.h"
#include "engine/certify/operations/read_sources.h"
#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// Variables are made only for questions that are asked; other sources of a read are only counted.
/// So memory is about 30 bytes a read, and the variables of the proof. Refers to the history.
class Choices final : public Rules {
 public:
  Choices(const History& history, const Effects& effects);

  /// The literal of a choice, which may be a constant. Requires no assumptions. Nothing if the
  /// choice is senseless: its transactions aborted or do not exist, or its read is none or unknown.
  [[nodiscard]] std::optional<Literal> literal(const Choice& choice);

  // Clauses (clauses.h).

  void prove(std::span<const Literal> clause) { clauses_.prove(clause, *this); }

  [[nodiscard]] bool assume_false(std::span<const Literal> clause) {
    return clauses_.assume_false(clause, *this);
  }

  void take_back() { clauses_.take_back(*this); }

  // What holds under the assumptions.
  [[nodiscard]] bool is_before(TxnId first, TxnId second);

  /// Whether the external read of `key` saw `source`'s write.
  [[nodiscard]] bool reads(TxnId reader, KeyId key, TxnId source) const;

  /// The committed transactions that are known to have read the key from `source`.
  [[nodiscard]] std::vector<TxnId> readers_of(TxnId source, KeyId key) const;

  /// The writer of the version that `txn` overwrote; nothing if lists do not show it.
  [[nodiscard]] std::optional<TxnId> overwritten_by(TxnId txn, KeyId key) const {
    return lists_.overwritten_by(txn, key);
  }

  // Lists with repeated elements.

  /// Whether `first` appended to the key before `second` did, or may be assumed to.
  [[nodiscard]] bool appended_before(TxnId first, TxnId second, KeyId key) const;

  /// Whether `reader` took effect and its list of the key shows what `writer` appended.
  [[nodiscard]] bool shows(TxnId reader, KeyId key, TxnId writer) const;

  /// Whether `reader` took effect and its list of the key does not show the elements of `writer`,
  /// which appended them later.
  [[nodiscard]] bool precedes(TxnId reader, KeyId key, TxnId writer) const;

  [[nodiscard]] bool became_true(Literal literal) override;
  void became_open(Literal literal) override;

 private:
  static constexpr std::uint32_t kNothing = 0xffffffffU;

  /// What is known of an external read.
  struct Sources {
    std::uint32_t open = 0;   ///< the number of sources not ruled out
    std::uint32_t mixed = 0;  ///< the xor of their numbers: the last one that is left
    bool is_known = false;    ///< whether `source` is the source
    TxnId source = TxnId::none();
    std::uint32_t first_variable = kNothing;  ///< first of the list of this read's variables
  };

  /// The statement that a variable stands for.
  struct Meaning {
    Choice::Kind kind = Choice::Kind::kBefore;
    std::uint32_t subject = 0;  ///< kReads: the read; kTookEffect: the transaction
    TxnId source = TxnId::none();
    std::uint32_t next = kNothing;   ///< the next variable of the same read
    std::uint32_t place = kNothing;  ///< kReads of a part of a list: the place
  };

  // The beginning.
  void decide_fates(const Effects& effects);
  [[nodiscard]] bool may_have_served(TxnId txn) const;
  [[nodiscard]] bool count_sources();

  // Variables.
  Literal make(const Meaning& meaning);
  [[nodiscard]] std::optional<Literal> before_literal(TxnId first, TxnId second);
  [[nodiscard]] Literal ordered(TxnId first, TxnId second);
  [[nodiscard]] std::optional<Literal> read_literal(TxnId reader, KeyId key, TxnId source);
  [[nodiscard]] std::optional<Literal> find_variable(std::uint32_t read, TxnId source) const;
  [[nodiscard]] Literal variable(std::uint32_t read, TxnId source);

  [[nodiscard]] Literal fate_of(TxnId txn) const { return fate_[txn.index()]; }

  [[nodiscard]] bool cannot_be(TxnId source) const;

  // Rules. Each returns false on a contradiction.
  [[nodiscard]] bool settle(std::uint32_t read);
  [[nodiscard]] bool serve(std::uint32_t read, TxnId source);
  [[nodiscard]] bool rule_out(std::uint32_t read, TxnId source);
  [[nodiscard]] bool drop(std::uint32_t read, TxnId source);
  [[nodiscard]] bool falsify_variables(std::uint32_t read, std::optional<TxnId> except);
  [[nodiscard]] bool settle_reads_of(TxnId reader);
  [[nodiscard]] bool rule_out_everywhere(TxnId txn);

  // Rules about places in lists.
  [[nodiscard]] bool open_places();
  [[nodiscard]] std::optional<Literal> place_literal(const Choice& choice) const;
  [[nodiscard]] Literal counts(const ListPlaces::Line& line) const;
  [[nodiscard]] bool settle_position(std::uint32_t position);
  [[nodiscard]] bool settle_positions(std::uint32_t first, std::uint32_t count);
  [[nodiscard]] bool take_place(std::uint32_t place);
  [[nodiscard]] bool vacate_place(std::uint32_t place);
  void count_place(std::uint32_t place, std::uint32_t by);
  [[nodiscard]] bool settle_lists_of(TxnId reader);
  [[nodiscard]] bool rule_out_places(TxnId txn);
  [[nodiscard]] const ListPlaces::Place* stand_in(TxnId txn, std::uint32_t line) const;
  [[nodiscard]] bool is_not_in(TxnId txn, std::uint32_t line) const;

  const History& history_;
  ShownLists shown_;
  ListOrders lists_;
  ReadSources sources_;
  ListPlaces places_;
  Clauses clauses_;
  std::vector<Meaning> meanings_;        // by variable
  std::vector<Literal> fate_;            // by transaction: whether it took effect
  std::vector<Sources> known_;           // by read
  std::vector<Literal> stands_;          // by place
  std::vector<std::uint32_t> open_at_;   // by position: the number of places not ruled out
  std::vector<std::uint32_t> mixed_at_;  // the xor of their numbers
  std::unordered_map<std::uint64_t, Literal> before_;
  std::unordered_map<std::uint64_t, Literal> reads_;
};

}  // namespace elapid::certify
