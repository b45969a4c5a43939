#include "adapter/cli/check_flags.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <utility>

#include "adapter/cli/fail_on.h"
#include "adapter/cli/names.h"
#include "adapter/cli/transaction_order.h"

namespace elapid {
namespace {

void add_level_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("-c,--consistency-models", flags.consistency_models,
                 "Levels to demand: comma-separated, all, or none (see elapid levels; default "
                 "strict-serializable, of session traces strong-session-serializable)")
      ->type_name("NAMES");
  app.add_option("-a,--anomalies", flags.anomalies,
                 "Further anomalies to look for: comma-separated, or none (default)")
      ->type_name("NAMES");
  app.add_option("--engine", flags.engine, "auto (default) or elle")->type_name("NAME");
  app.add_flag("--elle-compat", flags.elle_compat, "Answer exactly as Elle, its quirks included")
      ->option_text("[=true|false]");
}

void add_assumption_flags(CLI::App& app, CheckFlags& flags) {
  app.add_flag("--wfr-keys", flags.wfr_keys,
               "Registers: a transaction's write of a key follows the version it read")
      ->option_text("[=true|false]");
  app.add_flag("--sequential-keys", flags.sequential_keys,
               "Registers: each key is sequentially consistent")
      ->option_text("[=true|false]");
  app.add_flag("--linearizable-keys", flags.linearizable_keys,
               "Registers: each key is linearizable")
      ->option_text("[=true|false]");
  app.add_option("--transaction-order", flags.transaction_order,
                 "EDN map {completion-index number, ...} or a file with one")
      ->type_name("MAP|FILE");
}

void add_budget_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("-s,--cycle-search-timeout", flags.cycle_search_timeout_ms,
                 "Milliseconds to search one component for cycles (default: no such limit)")
      ->type_name("MS");
  app.add_option("--work", flags.work,
                 "Edge visits to search one component for cycles; deterministic")
      ->type_name("VISITS");
}

void add_evidence_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("-d,--directory", flags.directory, "Write Elle's evidence files there")
      ->type_name("DIR");
  app.add_option("-p,--plot-format", flags.plot_format, "svg (default) or png")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"svg", "png"}));
  app.add_option("-t,--plot-timeout", flags.plot_timeout_ms, "Milliseconds a plot (default 5000)")
      ->type_name("MS")
      ->check(CLI::Range(1, 86400000));
  app.add_option("-b,--max-plot-bytes", flags.max_plot_bytes,
                 "Bytes of DOT beyond which a plot is left out (default 65536)")
      ->type_name("BYTES");
  app.add_flag("--full", flags.full, "Print long operations in full");
  app.add_flag("-v,--verbose", flags.verbose, "Say assumptions and timings on standard error");
  app.add_flag("-q,--quiet", flags.quiet, "Only the verdict");
}

Result<Assumptions> assumptions_of(const CheckFlags& flags) {
  Assumptions assumptions = {.wfr_keys = flags.wfr_keys,
                             .sequential_keys = flags.sequential_keys,
                             .linearizable_keys = flags.linearizable_keys,
                             .elle_compat = flags.elle_compat};
  if (!flags.transaction_order.empty()) {
    Result<TransactionOrder> order = read_transaction_order(flags.transaction_order);
    if (!order) {
      return order.error();
    }
    assumptions.transaction_order = std::move(order).value();
  }
  return assumptions;
}

Result<CheckOptions> check_options(const CheckFlags& flags) {
  if (const Status engine = check_engine(flags.engine); !engine) {
    return engine.error();
  }
  const Result<ModelSet> models = parse_models(
      flags.consistency_models.empty() ? "strict-serializable" : flags.consistency_models,
      flags.elle_compat);
  if (!models) {
    return models.error();
  }
  const Result<AnomalySet> anomalies = parse_anomalies(flags.anomalies);
  if (!anomalies) {
    return anomalies.error();
  }
  Result<Assumptions> assumptions = assumptions_of(flags);
  if (!assumptions) {
    return assumptions.error();
  }
  return CheckOptions{
      .models = models.value(),
      .anomalies = anomalies.value(),
      .assumptions = std::move(assumptions).value(),
      .budget = {.edge_visits = flags.work, .milliseconds = flags.cycle_search_timeout_ms},
      .keep_components = !flags.directory.empty()};
}

PlotOptions plot_options(const CheckFlags& flags) {
  return {.format = flags.plot_format == "png" ? PlotFormat::kPng : PlotFormat::kSvg,
          .max_dot_bytes = flags.max_plot_bytes,
          .timeout = std::chrono::milliseconds(flags.plot_timeout_ms)};
}

Detail detail_of(const CheckFlags& flags) {
  return flags.quiet ? Detail::kQuiet : flags.verbose ? Detail::kVerbose : Detail::kNormal;
}

}  // namespace

void add_check_flags(CLI::App& app, CheckFlags& flags) {
  add_input_flags(app, flags.input);
  add_level_flags(app, flags);
  add_assumption_flags(app, flags);
  add_budget_flags(app, flags);
  add_evidence_flags(app, flags);
  add_fail_on(app, flags.fail_on);
}

Result<CheckRequest> check_request(const CheckFlags& flags) {
  Result<ReadOptions> read = read_options(flags.input);
  if (!read) {
    return read.error();
  }
  Result<CheckOptions> check = check_options(flags);
  if (!check) {
    return check.error();
  }
  const Result<FailOn> fail_on = parse_fail_on(flags.fail_on);
  if (!fail_on) {
    return fail_on.error();
  }
  CheckRequest request = {.inputs = flags.input.inputs,
                          .threads = thread_count(flags.input),
                          .read = std::move(read).value(),
                          .check = std::move(check).value(),
                          .demands_default = flags.consistency_models.empty(),
                          .output = output_format(flags.input),
                          .detail = detail_of(flags),
                          .full = flags.full,
                          .fail_on_lint = fail_on.value().lint,
                          .plots = plot_options(flags)};
  request.read.elle_compat = flags.elle_compat;
  if (!flags.directory.empty()) {
    request.directory = flags.directory;
  }
  return request;
}

}  // namespace elapid
