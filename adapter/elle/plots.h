// Pictures of dependency graphs, drawn by Graphviz if it is installed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

enum class PlotFormat : std::uint8_t { kSvg, kPng };
/// `svg` or `png`: dot's name for the format, and the extension of its files.
[[nodiscard]] std::string_view name(PlotFormat format);

struct PlotOptions {
  bool are_wanted = true;  ///< if not, neither pictures nor their texts are written
  PlotFormat format = PlotFormat::kSvg;
  std::size_t max_dot_bytes = 65536;        ///< graphs with a longer text are not drawn
  std::chrono::milliseconds timeout{5000};  ///< for each plot
};

/// The picture's bytes, or why there is none.
struct Plot {
  std::string image = {};
  std::string note = {};  ///< empty if there is an image
};

/// Whether `dot` is on the PATH.
[[nodiscard]] bool can_draw();

/// Draws these transactions and edges; see dot_text. Starts one child process and waits for it, at
/// most for the timeout. Never fails: errors are in the note.
[[nodiscard]] Plot draw(const History& history, std::span<const TxnId> txns,
                        std::span<const Step> edges, const PlotOptions& options);

/// Draws a graph in Graphviz's language.
[[nodiscard]] Plot draw(std::string_view dot, const PlotOptions& options);

}  // namespace elapid
