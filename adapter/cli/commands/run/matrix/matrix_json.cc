#include "adapter/cli/commands/run/matrix/matrix_report.h"
#include "adapter/cli/commands/run/matrix/run_json.h"
#include "adapter/elle/document_writer.h"

namespace elapid {
namespace {

void write_models(DocumentWriter& out, std::string_view key, ModelSet models) {
  out.key(key).each(models, [&](Model model) { out.string(friendly_name(model)); });
}

void write_row(DocumentWriter& out, const MatrixRow& row, const std::vector<MatrixRun>& runs) {
  out.open(Container::kMap, 2);
  out.key("database").string(row.database);
  out.key("address").string(row.address);
  out.key("asked-for").string(row.promised.name);
  out.key("promise").string(promise_word(row.promise));
  write_models(out, "holds", row.holds);
  write_models(out, "broken", row.broken);
  write_standings(out, row.standings);
  out.key("runs").each(row.runs, 3, [&](std::size_t run) { write_run(out, runs[run]); });
  out.close();
}

}  // namespace

std::string matrix_json(const MatrixReport& report) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap, 1);
  out.key("kind").string("elapid-matrix/1");
  out.key("time").string(report.time);
  out.key("command").string(report.command);
  out.key("seed").integer(report.seed);
  const std::vector<MatrixRow> rows = rows_of(report.runs);
  out.key("promises").string(promise_word(promises_of(rows)));
  out.key("rows").each(rows, 1, [&](const MatrixRow& row) { write_row(out, row, report.runs); });
  out.close();
  return std::move(out).take() + "\n";
}

}  // namespace elapid
