// elapid plot: draws the graphs that `elapid check -d` wrote, with Graphviz.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/plots.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

struct PlotFlags {
  std::string folder = {};
  std::string format = "svg";
  std::uint64_t timeout_ms = 5000;
};

/// The graphs `TYPE/N.dot` and `sccs/N.dot`. The report's findings have pictures already.
std::vector<fs::path> graphs_in(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> graphs;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() == 1 && at->path().extension() == ".dot" &&
        at->path().parent_path().filename() != "findings") {
      graphs.push_back(at->path());
    }
    if (at.depth() == 1) {
      at.disable_recursion_pending();
    }
  }
  std::ranges::sort(graphs);
  return graphs;
}

Error unreadable(const fs::path& file, std::string why) {
  return {.kind = ErrorKind::kUnreadable, .message = std::move(why), .file = file.string()};
}

/// Draws the picture beside its graph.
Status draw_picture(const fs::path& graph, const PlotOptions& options) {
  std::ifstream in(graph, std::ios::binary);
  const std::string dot{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    return unreadable(graph, "cannot be read");
  }
  const Plot plot = draw(dot, options);
  if (!plot.note.empty()) {
    return unreadable(graph, "was not drawn: " + plot.note);
  }
  fs::path picture = graph;
  picture.replace_extension(name(options.format));
  return write_file(picture, plot.image);
}

Result<ExitCode> run_plot(const PlotFlags& flags) {
  catch_interrupt();
  std::error_code error;
  const std::vector<fs::path> graphs = graphs_in(flags.folder, error);
  if (error) {
    return unreadable(flags.folder, error.message());
  }
  const PlotOptions options = {
      .format = flags.format == "png" ? PlotFormat::kPng : PlotFormat::kSvg,
      .timeout = std::chrono::milliseconds(flags.timeout_ms)};
  if (!graphs.empty() && !can_draw()) {
    return unreadable(flags.folder, "dot is not on the PATH (Debian package graphviz)");
  }
  Progress progress(false);
  ExitCode code = ExitCode::kOk;
  std::size_t drawn = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::string bar =
        progress_bar({i, graphs.size(), "pictures"}, std::chrono::steady_clock::now() - begun);
    if (!progress.stage(flags.folder, bar)) {
      code = ExitCode::kInterrupted;
      break;
    }
    const Status status = draw_picture(graphs[i], options);
    drawn += status.ok() ? 1U : 0U;
    if (!status.ok()) {
      progress.clear();
      code = combine(code, print_error(status.error()));
    }
  }
  progress.clear();
  print_text(
      fmt::format("{}: {} of {} graphs drawn\n", visible_line(flags.folder), drawn, graphs.size()));
  return code;
}

}  // namespace

Command plot_command() {
  const auto flags = std::make_shared<PlotFlags>();
  Command command = {.name = "plot",
                     .about = "Draw the graphs of cycles of a result, by Graphviz",
                     .run = [flags] { return run_plot(*flags); }};
  command.options.argument("RESULT", flags->folder, "A folder that check -d has written")
      .once()
      .required();
  command.options.value("-p,--plot-format", "FORMAT", flags->format, "svg (default) or png")
      .one_of({"svg", "png"});
  command.options.number("-t,--plot-timeout", "MS", flags->timeout_ms,
                         "Milliseconds a picture (default 5000)", kPlotTimeouts);
  return command;
}

}  // namespace elapid
