// Dependencies between transactions of a list-append history as Elle infers them
// (docs/elle-rules.md), and their reasons.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/elle/analysis.h"
#include "engine/elle/list_orders.h"
#include "engine/elle/writes.h"
#include "engine/ir/history.h"

namespace elapid::elle {

/// The writers and readers of each version of each key, among completions of :ok and :info. A
/// version is named by the element that was appended last; the initial one has none. Elle takes an
/// element nil or false for no element in most places, but not in all.
class ListGraph {
 public:
  /// `history` is borrowed. Linear in operations and in the longest list of each key.
  explicit ListGraph(const History& history);

  [[nodiscard]] const Writes& writes() const { return writes_; }

  /// The version that an append follows: the one before it in the version order. An append that no
  /// transaction read follows the last version. none(): the initial state.
  [[nodiscard]] ValueId version_before(Op append) const;

  /// The version that a read shows; none() is the initial one. Nothing if the read tells nothing,
  /// as that of nil by an :info completion.
  [[nodiscard]] std::optional<ValueId> version_shown(TxnId reader, Op read) const;

  /// The last transaction that appended the element, or none().
  [[nodiscard]] TxnId writer(KeyId key, ValueId element) const;

  /// ww, wr and rw edges. An append that no transaction read follows all readers of the last
  /// version: a bundle. Linear in operations and edges.
  void add_edges(Inference& graph) const;

 private:
  [[nodiscard]] std::uint32_t position(Op append) const;
  [[nodiscard]] std::optional<std::size_t> number(KeyId key, ValueId version) const;
  [[nodiscard]] std::span<const TxnId> readers(KeyId key, ValueId version) const;
  void find_readers();
  void add_append(TxnId txn, Op append, Inference& graph,
                  std::vector<std::vector<TxnId>>& unread) const;

  const History& history_;
  Writes writes_;
  ListOrders orders_;
  std::vector<std::uint32_t> readers_begin_;  // by the version's number, one more than these
  std::vector<TxnId> readers_;
};

/// Explains those edges.
[[nodiscard]] std::unique_ptr<Explainer> list_explainer(std::shared_ptr<const ListGraph> graph,
                                                        const History& history);

}  // namespace elapid::elle
