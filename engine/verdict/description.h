// A description: the meaning of a piece of evidence, in neutral claims that any renderer can print.
//
// A description has the transactions that take part (actors), their relevant operations (focus),
// and the conclusions (claims, in order; the last one is the contradiction). A claim is a phrase of
// typed parts, so that a renderer decides how an actor, a value or a long list looks, and need not
// know which kind of evidence it prints. For a lost update:
//
//   title   lost-update
//   actors  T1 = transaction 3, operations 0 and 1 in focus; T2 = transaction 4, ...
//   claims  [T1] and [T2] each read key [:x] = [[1]], and then wrote key [:x].
//           However, only one of these writes can directly follow that version: lost updates!
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/verdict/event_ref.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A micro-operation to show, and the element of its list to show; none() stands for the list's
/// end.
struct Focus {
  std::uint32_t mop = 0;
  ValueId element = ValueId::none();
  friend bool operator==(Focus, Focus) = default;
};

/// An event that takes part. Renderers call the actors T1, T2, ... in their order.
struct Actor {
  EventRef event = {};
  std::vector<Focus> focus = {};
  bool is_witness = false;  ///< it only shows effects of other transactions
};

struct Part;
using Phrase = std::vector<Part>;

/// An actor, by its place among the actors.
struct ActorPart {
  std::size_t actor = 0;
  bool with_place = false;  ///< also print its place in the source
};

/// Transactions that are no actors; cited by numbers that users know.
struct TxnsPart {
  std::vector<TxnId> txns = {};
};

/// A key, a value or an element.
struct ValuePart {
  ValueId value = ValueId::none();
};

/// A list whose elements in focus must be shown; none() stands for its end.
struct ListPart {
  std::vector<ValueId> elements = {};
  std::vector<ValueId> focus = {};
};

/// `a`, `a and b`, `a, b and c`. Without room for all items: `a, b and 5 more`.
struct SeriesPart {
  std::vector<Phrase> items = {};
};

/// A part of a phrase; text is a plain word or several.
struct Part {
  std::variant<std::string, ActorPart, TxnsPart, ValuePart, ListPart, SeriesPart> content;
};

/// One actor comes before another. Pictures show it as an edge between operations.
struct Arrow {
  std::size_t from = 0;  ///< among the actors
  std::size_t to = 0;
  Relation relation = Relation::kWw;
  ValueId key = ValueId::none();               ///< item relations only
  std::optional<std::uint32_t> from_mop = {};  ///< the operation of `from` that shows this
  std::optional<std::uint32_t> to_mop = {};
  bool by_timestamps = false;  ///< of kRealtime: by the database's timestamps, not by events
  bool is_assumed = false;     ///< it holds only in the case that the claim is about
  std::size_t by = 0;          ///< the claim labelled `(1)`, `(2)`, ... that shows it; 0: none
  friend bool operator==(const Arrow&, const Arrow&) = default;
};

/// A sentence, and the cases or steps that it announces.
struct Claim {
  Phrase says = {};
  std::vector<Claim> steps = {};
  std::optional<Arrow> arrow = {};  ///< if the sentence says that one actor comes before another
};

/// The description of one anomaly.
struct Description {
  std::string name = {};   ///< of the anomaly's type, as `G-single-item`
  std::string gloss = {};  ///< the type in a few words; empty if the name says enough
  std::vector<Actor> actors = {};
  std::vector<Claim> claims = {};
};

/// Phrases of one part. `as_phrase(p)` of a phrase `p` is `p`.
[[nodiscard]] Phrase as_phrase(std::string_view text);
[[nodiscard]] Phrase as_phrase(Phrase phrase);

template <class Typed>
  requires std::constructible_from<decltype(Part::content), Typed> &&
           (!std::convertible_to<Typed, std::string_view>)
[[nodiscard]] Phrase as_phrase(Typed part) {
  return {Part{std::move(part)}};
}

/// The pattern with each `{}` replaced by the next of the arguments.
[[nodiscard]] Phrase filled(std::string_view pattern, std::span<Phrase> arguments);

/// `phrase("{} read key {}", actor, key)`: the arguments are text, typed parts or phrases.
template <class... Arguments>
[[nodiscard]] Phrase phrase(std::string_view pattern, Arguments&&... arguments) {
  std::array<Phrase, sizeof...(Arguments)> phrases = {
      as_phrase(std::forward<Arguments>(arguments))...};
  return filled(pattern, phrases);
}

}  // namespace elapid
