#include "adapter/cli/check_flags.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <utility>

#include "adapter/cli/fail_on.h"
#include "adapter/cli/names.h"
#include "adapter/cli/quantities.h"
#include "adapter/cli/transaction_order.h"

namespace elapid {
namespace {

void add_level_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("-c,--consistency-models,--levels", flags.consistency_models,
                 "Levels to demand: comma-separated, none, or all for the ladder of levels (see "
                 "elapid levels; default strict-serializable, of session traces "
                 "strong-session-serializable)")
      ->type_name("NAMES");
  app.add_option("-a,--anomalies", flags.anomalies,
                 "Further anomalies to look for: comma-separated, or none (default)")
      ->type_name("NAMES");
  app.add_option("--engine", flags.engine,
                 "auto (default), elle, saturation, search, solver or timestamps")
      ->type_name("NAME");
  app.add_option("--clock-skew", flags.clock_skew,
                 "Timestamps: by how much clocks may differ, in the timestamps' unit")
      ->type_name("BOUND")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--cross-check", flags.cross_check,
               "Timestamps: if they are violated, let the solver say whether the levels hold");
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
                 "Edges to look at in one component, for cycles or for an order; deterministic")
      ->type_name("VISITS");
  app.add_option("--timeout", flags.timeout, "Time to check one history, as 90s or 5m")
      ->type_name("DURATION");
  app.add_option("--memory", flags.memory, "Memory to use while checking, as 2G")
      ->type_name("SIZE");
}

void add_evidence_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("--certificate", flags.certificate,
                 "Write the proof of the answer there, for elapid certify")
      ->type_name("FILE");
  app.add_option("-d,--directory", flags.directory,
                 "Write evidence files there, laid out as Elle's")
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
  const Result<Engine> engine = parse_engine(flags.engine);
  if (!engine) {
    return engine.error();
  }
  if (engine.value() != Engine::kTimestamps && (flags.clock_skew || flags.cross_check)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--clock-skew and --cross-check need --engine timestamps"};
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
  return CheckOptions{.models = models.value(),
                      .anomalies = anomalies.value(),
                      .assumptions = std::move(assumptions).value(),
                      .engine = engine.value(),
                      .needs_order = !flags.certificate.empty(),
                      .each_model = flags.consistency_models == "all" && !flags.elle_compat,
                      .clock_skew = flags.clock_skew.value_or(0),
                      .cross_check = flags.cross_check,
                      .budget = {.edge_visits = flags.work.value_or(Budget{}.edge_visits),
                                 .milliseconds = flags.cycle_search_timeout_ms,
                                 .solver_work = flags.work.value_or(Budget{}.solver_work)},
                      .keep_components = !flags.directory.empty()};
}

Result<Limits> limits_of(const CheckFlags& flags) {
  Limits limits;
  if (!flags.timeout.empty()) {
    const Result<std::chrono::milliseconds> time = parse_duration(flags.timeout);
    if (!time) {
      return time.error();
    }
    limits.time = time.value();
    limits.words = "--timeout " + flags.timeout;
  }
  if (!flags.memory.empty()) {
    const Result<std::uint64_t> memory = parse_bytes(flags.memory);
    if (!memory) {
      return memory.error();
    }
    limits.memory = memory.value();
    limits.words += (limits.words.empty() ? "--memory " : " or --memory ") + flags.memory;
  } else if ((limits.memory = default_memory())) {
    constexpr std::uint64_t kMebibyte = 1024 * 1024;
    limits.words += (limits.words.empty() ? "--memory " : " or --memory ") +
                    std::to_string(*limits.memory / kMebibyte) + "M, half of what there is";
  }
  return limits;
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
  const Result<Limits> limits = limits_of(flags);
  if (!limits) {
    return limits.error();
  }
  const Result<FailOn> fail_on = parse_fail_on(flags.fail_on);
  if (!fail_on) {
    return fail_on.error();
  }
  CheckRequest request = {.inputs = flags.input.inputs,
                          .threads = thread_count(flags.input),
                          .read = std::move(read).value(),
                          .check = std::move(check).value(),
                          .limits = limits.value(),
                          .demands_default = flags.consistency_models.empty(),
                          .output = output_format(flags.input),
                          .detail = detail_of(flags),
                          .full = flags.full,
                          .fail_on_lint = fail_on.value().lint,
                          .plots = plot_options(flags)};
  request.read.elle_compat = flags.elle_compat;
  if (!flags.certificate.empty()) {
    request.certificate = flags.certificate;
  }
  if (!flags.directory.empty()) {
    request.directory = flags.directory;
  }
  return request;
}

}  // namespace elapid
