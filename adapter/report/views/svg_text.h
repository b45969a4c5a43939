// Text of all pictures: numbers, text cut to fit, and the names of arrows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "adapter/report/exhibit.h"

namespace elapid {

/// Width of a character of the monospaced font at 13 pixels. For the other font at 12 pixels: an
/// upper estimate for labels that widen a line.
inline constexpr double kMonoWidth = 7.9;
inline constexpr double kSansWidth = 6.8;
inline constexpr double kBoldWidth = 7.7;

/// `12`, `12.5`: with at most one decimal.
[[nodiscard]] std::string number(double value);

/// Columns of a terminal: East Asian characters take two.
[[nodiscard]] std::size_t columns(std::string_view text);

/// visible() text of at most so many columns; longer text loses its middle.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t most);

/// `rw x`; `realtime`. With `, assumed` or `, by (1)` if that applies.
[[nodiscard]] std::string edge_label(const ExhibitEdge& edge);

/// `T1 comes before T2: T2 overwrote what T1 read of x`; with the question of a predicate.
[[nodiscard]] std::string edge_sentence(const Exhibit& exhibit, const ExhibitEdge& edge);

/// The sentence for any two transactions: `B overwrote what A read`.
[[nodiscard]] std::string_view edge_meaning(const ExhibitEdge& edge);

/// `ww`, `wr`, `rw`, `process`, `realtime`, `timestamps`
[[nodiscard]] std::string_view edge_kind(const ExhibitEdge& edge);

/// The two ends of an edge: `a1.t1.o1 a1.t2.o2`.
[[nodiscard]] std::string edge_ends(const Exhibit& exhibit, const ExhibitEdge& edge);

/// `aborted`, `outcome unknown`; empty for committed transactions.
[[nodiscard]] std::string_view status_word(TxnStatus status);

/// Session, place without folders, and level, if one was asked for: `process 3 · history.edn:12`;
/// `session 3, transaction 5 · serializable`.
[[nodiscard]] std::string short_place(const Exhibit& exhibit, const ExhibitTxn& txn);

/// `G-single-item: read skew`
[[nodiscard]] std::string exhibit_title(const Exhibit& exhibit);

/// The start of an SVG picture of a kind: `graph`, `timeline`.
[[nodiscard]] std::string svg_start(const Exhibit& exhibit, std::string_view kind, double width,
                                    double height);

}  // namespace elapid
