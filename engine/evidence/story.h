// Builds a description: actors at their first mention, and claims one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/evidence/shown_orders.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/description.h"

namespace elapid {

/// `1 state`, `2 states`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what);

/// Collects the description of a piece of evidence. Actors are numbered in the order of their first
/// mention.
class Story {
 public:
  Story(const History& history, AnomalyType type, ShownOrders& orders)
      : history_(history), type_(type), orders_(orders) {}

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] AnomalyType type() const { return type_; }

  [[nodiscard]] ShownOrders& orders() { return orders_; }

  // Actors.
  /// The event's actor. Adds the actor, or adds to its focus.
  ActorPart actor(EventRef event, std::optional<Focus> focus = std::nullopt);

  /// The event that stands for the transaction.
  ActorPart actor(TxnId txn) { return actor(representative_ref(history_, txn)); }

  /// The same with operation `mop` of ops(txn) in focus; -1 for no operation.
  ActorPart actor(TxnId txn, std::int32_t mop, ValueId element = ValueId::none());
  /// A read that shows the effects of others: an actor that is only looked up.
  ActorPart witness(const ListRead& read, std::span<const ValueId> elements);
  /// Puts the operations of `event` in focus that wrote `element` to `key` or overwrote it.
  void focus_on_write(EventRef event, KeyId key, ValueId element);

  // Claims.
  template <class... Arguments>
  void claim(std::string_view pattern, Arguments&&... arguments) {
    claims_.push_back({.says = phrase(pattern, std::forward<Arguments>(arguments)...)});
  }

  void claim(Claim claim) { claims_.push_back(std::move(claim)); }

  /// The arrow of the last claim, for pictures.
  void arrow(const Arrow& arrow) { claims_.back().arrow = arrow; }

  void gloss(std::string gloss) { gloss_ = std::move(gloss); }

  // Parts.
  [[nodiscard]] ValuePart key(KeyId key) const { return {history_.key_value(key)}; }

  /// The event's operation that wrote `value` to `key`; with none() its first write of the key.
  [[nodiscard]] std::optional<std::uint32_t> write_of(EventRef event, KeyId key,
                                                      ValueId value = ValueId::none()) const;

  /// The value that an operation read or wrote. For a list, `focus` must be shown.
  [[nodiscard]] Phrase value(Op op, std::span<const ValueId> focus = {}) const;
  [[nodiscard]] static ListPart list(std::span<const ValueId> elements,
                                     std::span<const ValueId> focus = {});

  /// The phrases of several items.
  template <class Items, class ToPhrase>
  [[nodiscard]] static SeriesPart series(const Items& items, ToPhrase to_phrase) {
    SeriesPart series;
    for (const auto& item : items) {
      series.items.push_back(as_phrase(to_phrase(item)));
    }
    return series;
  }

  [[nodiscard]] Description take();

 private:
  const History& history_;
  AnomalyType type_;
  ShownOrders& orders_;
  std::unordered_map<std::uint64_t, std::size_t> places_ = {};  // by event, in actors_
  std::vector<Actor> actors_ = {};
  std::vector<Claim> claims_ = {};
  std::string gloss_ = {};
};

}  // namespace elapid
