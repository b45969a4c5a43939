#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapter/cli/commands/run/matrix/matrix_report.h"
#include "adapter/cli/terminal/aligned.h"
#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "harness/matrix/matrix.h"

namespace elapid {
namespace {

using TextRow = std::vector<std::string>;

/// The database's name; the address if it did not answer.
std::string database_of(const std::string& database, const std::string& address) {
  return visible_line(database.empty() ? address : database + "  " + address);
}

/// `lost-update 3,090, G-single-item 8`
std::string anomalies_text(const MatrixRun& run) {
  auto found = mapped<std::string>(run.anomalies, [&](const AnomalyCount& anomaly) {
    return fmt::format("{} {}", anomaly.type, with_commas(anomaly.count));
  });
  return found.empty() ? "-" : fmt::format("{}", fmt::join(found, ", "));
}

std::string throughput_text(const MatrixRun& run) {
  return run.seconds > 0 ? with_commas(run.throughput()) : "-";
}

TextRow run_row(const MatrixRun& run) {
  TextRow row = {visible_line(run.shown_name()), run.promised.name, run.workload};
  if (!run.problem.empty()) {
    row.insert(row.end(), {"-", "-", "-", "-", "no verdict: " + visible_line(run.problem)});
    return row;
  }
  row.insert(row.end(), {throughput_text(run), percent_text(run.aborted, run.transactions) + "%",
                         percent_text(run.indeterminate, run.transactions) + "%", rate_text(run),
                         anomalies_text(run)});
  return row;
}

/// Numbers are aligned to the right, the last column is not padded.
std::string runs_text(const std::vector<MatrixRun>& runs) {
  std::vector<TextRow> rows = {
      {"database", "asked for", "workload", "txn/s", "aborted", "unknown", "per 1,000 (95 %)"}};
  std::vector<std::string> last = {"anomalies"};
  for (const MatrixRun& run : runs) {
    TextRow row = run_row(run);
    last.push_back(std::move(row.back()));
    row.pop_back();
    rows.push_back(std::move(row));
  }
  const std::string table = aligned(rows, 3);
  std::string out;
  std::size_t begin = 0;
  for (const std::string& tail : last) {
    const std::size_t end = table.find('\n', begin);
    out += table.substr(begin, end - begin) + "  " + tail + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string_view promise_word(Validity promise) {
  return promise == Validity::kValid     ? "kept"
         : promise == Validity::kInvalid ? "broken"
                                         : "unknown";
}

std::string model_names(ModelSet models) {
  auto names = mapped<std::string_view>(models, [&](Model model) { return friendly_name(model); });
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f}",
                     whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string rate_text(const MatrixRun& run) {
  if (!run.is_counted) {
    return "-";
  }
  const Rate rate = rate_of(run.all_anomalies(), run.committed);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", rate.per_thousand, rate.least, rate.most);
}

std::string matrix_text(const MatrixReport& report) {
  std::vector<TextRow> rows = {{"database", "asked for", "promise", "holds", "broken"}};
  for (const MatrixRow& row : rows_of(report.runs)) {
    rows.push_back({database_of(row.database, row.address), row.promised.name,
                    std::string(promise_word(row.promise)), model_names(row.holds),
                    model_names(row.broken)});
  }
  return aligned(rows, 5) + "\n" + runs_text(report.runs) +
         fmt::format("\nseed {}\n{}\n", report.seed, visible_line(report.command));
}

}  // namespace elapid
