#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/commands/run/matrix/matrix_report.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"

namespace elapid {
namespace {

/// A cell's text, escaped so that it ends neither the cell nor the line.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : visible_line(text)) {
    out += c == '|' ? "\\|" : std::string(1, c);
  }
  return out;
}

std::string line(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head(const std::vector<std::string>& cells) {
  return line(cells) + line(std::vector<std::string>(cells.size(), "---"));
}

std::string row_name(const MatrixRow& row) {
  const std::size_t parameters = row.address.find('?');
  const std::string name = row.database.empty() ? row.address : row.database;
  return cell(parameters == std::string::npos ? name : name + " " + row.address.substr(parameters));
}

std::string promises_table(const std::vector<MatrixRow>& rows) {
  std::string table = head({"database", "asked for", "promise", "holds", "broken"});
  for (const MatrixRow& row : rows) {
    table += line({row_name(row), cell(row.promised.name), std::string(promise_word(row.promise)),
                   model_names(row.holds), model_names(row.broken)});
  }
  return table;
}

/// The workloads in order of their first runs.
std::vector<std::string> workloads_of(const std::vector<MatrixRun>& runs) {
  std::vector<std::string> workloads;
  for (const MatrixRun& run : runs) {
    if (std::ranges::find(workloads, run.workload) == workloads.end()) {
      workloads.push_back(run.workload);
    }
  }
  return workloads;
}

/// A line for each row and a column for each workload.
std::string runs_table(const MatrixReport& report, const std::vector<MatrixRow>& rows,
                       const std::function<std::string(const MatrixRun&)>& shown) {
  const std::vector<std::string> workloads = workloads_of(report.runs);
  std::vector<std::string> cells = {"database", "asked for"};
  for (const std::string& workload : workloads) {
    cells.push_back(cell(workload));
  }
  std::string table = head(cells);
  for (const MatrixRow& row : rows) {
    cells = {row_name(row), cell(row.promised.name)};
    for (const std::string& workload : workloads) {
      const auto its = std::ranges::find_if(
          row.runs, [&](std::size_t run) { return report.runs[run].workload == workload; });
      cells.push_back(its == row.runs.end() ? "" : shown(report.runs[*its]));
    }
    table += line(cells);
  }
  return table;
}

std::string rate_cell(const MatrixRun& run) {
  return run.problem.empty() ? rate_text(run) : "no verdict";
}

std::string speed_cell(const MatrixRun& run) {
  return run.seconds > 0 ? fmt::format("{}, {} %", with_commas(run.throughput()),
                                       percent_text(run.aborted, run.transactions))
                         : "-";
}

}  // namespace

std::string matrix_markdown(const MatrixReport& report) {
  const std::vector<MatrixRow> rows = rows_of(report.runs);
  std::string text = promises_table(rows) + "\nAnomalies in 1,000 transactions (95 %):\n\n" +
                     runs_table(report, rows, rate_cell) +
                     "\nTransactions a second, and how many the database aborted:\n\n" +
                     runs_table(report, rows, speed_cell);
  for (const MatrixRun& run : report.runs) {
    if (!run.problem.empty()) {
      text += fmt::format("\nNo verdict on {} at {}, {}: {}.\n", cell(run.shown_name()),
                          cell(run.promised.name), cell(run.workload), cell(run.problem));
    }
  }
  return text + fmt::format("\n`{}`\n", cell(report.command));
}

}  // namespace elapid
