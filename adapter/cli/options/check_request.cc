#include "adapter/cli/options/check_request.h"

#include <chrono>
#include <utility>

#include "adapter/cli/options/names.h"
#include "adapter/cli/options/transaction_order.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "parsers/door/availability.h"

namespace elapid {
namespace {

void add_level_flags(Options& options, CheckFlags& flags) {
  options.begin_group("What to check");
  options
      .value("-c,--consistency-models,--levels", "NAMES", flags.consistency_models,
             "Levels to demand: comma-separated, none, all for the ladder of levels (see elapid "
             "levels), or by-transaction for those that transactions asked for (default where they "
             "did, else strict-serializable, of traces without real time "
             "strong-session-serializable). "
             "si, ser, pc, cc, ra and rc count session order; snapshot-isolation, serializable and "
             "read-committed do not")
      .proposes(level_words())
      .empty_means(kEmptyList);
  add_level_rules(options, flags.level_rules);
  options
      .value("-a,--anomalies", "NAMES", flags.anomalies,
             "Further anomalies to look for: comma-separated, or none (default)")
      .proposes(anomaly_words());
  options
      .value("--engine", "NAME", flags.engine,
             "auto (default), elle, saturation, search, solver or timestamps")
      .proposes(engine_names());
  options.number("--clock-skew", "BOUND", flags.clock_skew,
                 "Timestamps: by how much clocks may differ, in the timestamps' unit");
  options.flag("--cross-check", flags.cross_check,
               "Timestamps: if they are violated, let the solver say whether the levels hold");
  options.flag("--elle-compat", flags.elle_compat, "Answer exactly as Elle, its quirks included")
      .true_or_false();
}

void add_assumption_flags(Options& options, CheckFlags& flags) {
  options.begin_group("Assumptions about keys");
  options
      .flag("--wfr-keys", flags.wfr_keys,
            "A transaction's write of a key follows the version it read")
      .true_or_false();
  options.flag("--sequential-keys", flags.sequential_keys, "Each key is sequentially consistent")
      .true_or_false();
  options.flag("--linearizable-keys", flags.linearizable_keys, "Each key is linearizable")
      .true_or_false();
  add_failed_cas_flag(options, flags.failed_cas);
  options.value("--transaction-order", "MAP|FILE", flags.transaction_order,
                "EDN map {completion-index number, ...} or a file with one");
}

void add_budget_flags(Options& options, CheckFlags& flags) {
  options.begin_group("How hard to try");
  options.number("-s,--cycle-search-timeout", "MS", flags.cycle_search_timeout_ms,
                 "Milliseconds to search one component for cycles (default: no such limit)",
                 {.most = static_cast<std::int64_t>(kLongestMilliseconds)});
  options.number("--work", "VISITS", flags.work,
                 "Edges to look at in one component, for cycles or for an order; deterministic");
  options.value("--timeout", "DURATION", flags.timeout,
                "Time to check one history, as 90s or 5m (default 10m)");
  options.value("--memory", "SIZE", flags.memory, "Memory to use while checking, as 2G");
  options.value("--scratch", "DIR", flags.scratch,
                "Where a history bigger than that lies in partitions meanwhile (default: $TMPDIR, "
                "or /tmp)");
}

void add_evidence_flags(Options& options, CheckFlags& flags) {
  options.begin_group("What to write");
  options.value("--certificate", "FILE", flags.certificate,
                "Write the proof of the answer there, for elapid certify");
  options.value("-d,--directory", "DIR", flags.directory,
                "Write a report and evidence files there: report.html, summary.txt, ...");
  options
      .flag("--no-sync", flags.no_sync,
            "Do not wait until these files have reached the disk: a power cut may lose them")
      .changes_no_answer();
  options.flag("--no-plots", flags.no_plots,
               "Write no graphs of cycles there, which elapid plot draws");
  options.number("-b,--max-plot-bytes", "BYTES", flags.max_plot_bytes,
                 "Bytes of DOT beyond which a graph is left out (default 65536)");
  options
      .value("-p,--plot-format", "FORMAT", flags.plot_format,
             "Of pictures that --elle-compat draws: svg (default) or png")
      .one_of({"svg", "png"});
  options.number("-t,--plot-timeout", "MS", flags.plot_timeout_ms,
                 "Milliseconds for each of these (default 5000)", kPlotTimeouts);
}

void add_text_flags(Options& options, CheckFlags& flags) {
  options.begin_group("What to say");
  options.flag("--full", flags.full, "Print long operations in full");
  options.value("--max-map", "SIZE", flags.max_map,
                "Limit on the anomalies in a result map, as 500K; those left out are counted");
  options.value("--color", "WHEN", flags.colour, "auto (default), always or never")
      .one_of({"auto", "always", "never"})
      .changes_no_answer();
  options.flag("-v,--verbose", flags.verbose, "Say assumptions and timings on standard error")
      .changes_no_answer();
  options.flag("-q,--quiet", flags.quiet, "Only the verdict").changes_no_answer();
  add_fail_on(options, flags.fail_on);
  options.value("--least-contention", "LIST", flags.least_contention,
                "What --fail-on vacuous demands, as elapid info counts it: "
                "overlapping=100,keys=5,reads=1000 (default 1 of each)");
}

Result<Assumptions> assumptions_of(const CheckFlags& flags) {
  Assumptions assumptions = {
      .wfr_keys = flags.wfr_keys,
      .sequential_keys = flags.sequential_keys || flags.keys == "sequential",
      .linearizable_keys = flags.linearizable_keys || flags.keys == "linearizable",
      .elle_compat = flags.elle_compat};
  if (!flags.transaction_order.empty()) {
    ELAPID_ASSIGN_OR_RETURN(assumptions.transaction_order,
                            read_transaction_order(flags.transaction_order));
    assumptions.order_is_empty = assumptions.transaction_order.empty();
  }
  return assumptions;
}

Result<CheckOptions> check_options(const CheckFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const Engine engine, parse_engine(flags.engine));
  if (engine != Engine::kTimestamps && (flags.clock_skew || flags.cross_check)) {
    return usage_error("--clock-skew and --cross-check need --engine timestamps");
  }
  ELAPID_ASSIGN_OR_RETURN(const bool by_transaction, asks_by_transaction(flags.consistency_models));
  ELAPID_ASSIGN_OR_RETURN(const ModelSet models,
                          parse_models(flags.consistency_models.empty() ? "strict-serializable"
                                       : by_transaction                 ? "none"
                                                                        : flags.consistency_models,
                                       flags.elle_compat));
  ELAPID_ASSIGN_OR_RETURN(const AnomalySet anomalies, parse_anomalies(flags.anomalies));
  ELAPID_ASSIGN_OR_RETURN(Assumptions assumptions, assumptions_of(flags));
  return CheckOptions{.models = models,
                      .by_transaction = by_transaction,
                      .anomalies = anomalies,
                      .assumptions = std::move(assumptions),
                      .engine = engine,
                      .needs_order = !flags.certificate.empty(),
                      .each_model = is_all(flags.consistency_models) && !flags.elle_compat,
                      .clock_skew = flags.clock_skew.value_or(0),
                      .cross_check = flags.cross_check,
                      .failed_cas = failed_cas_of(flags.failed_cas),
                      .settings = settings_of(flags),
                      .budget = {.edge_visits = flags.work.value_or(Budget{}.edge_visits),
                                 .milliseconds = flags.cycle_search_timeout_ms,
                                 .solver_work = flags.work.value_or(Budget{}.solver_work),
                                 .linearize_work = flags.work.value_or(Budget{}.linearize_work)},
                      .keep_components = !flags.directory.empty(),
                      .words = kCheckFlags};
}

Result<Limits> limits_of(const CheckFlags& flags) {
  Limits limits = {.scratch = {.folder = flags.scratch}, .is_cancelled = interrupted};
  if (!flags.timeout.empty()) {
    ELAPID_ASSIGN_OR_RETURN(limits.time, parse_duration(flags.timeout));
    limits.words = (flags.timeout == kDefaultTimeout ? "the default --timeout " : "--timeout ") +
                   flags.timeout;
  }
  if (!flags.memory.empty()) {
    ELAPID_ASSIGN_OR_RETURN(limits.memory, parse_bytes(flags.memory));
    limits.words += (limits.words.empty() ? "--memory " : " or --memory ") + flags.memory;
    return limits;
  }
  limits.memory = default_memory();
  if (limits.memory) {
    constexpr std::uint64_t kMebibyte = std::uint64_t{1024} * 1024;
    limits.words += (limits.words.empty() ? "--memory " : " or --memory ") +
                    std::to_string(*limits.memory / kMebibyte) + "M, half of what there is";
  }
  return limits;
}

/// The least contention that histories must have where --fail-on names `vacuous`.
Result<std::optional<LeastContention>> least_contention_of(const CheckFlags& flags,
                                                           const FailOn& fail_on) {
  if (!fail_on.vacuous) {
    return flags.least_contention.empty()
               ? Result<std::optional<LeastContention>>(std::nullopt)
               : usage_error("--least-contention needs --fail-on vacuous");
  }
  const Result<LeastContention> least = parse_least_contention(flags.least_contention);
  return least ? Result(std::optional(least.value())) : least.error();
}

PlotOptions plot_options(const CheckFlags& flags) {
  return {.are_wanted = !flags.no_plots,
          .format = flags.plot_format == "png" ? PlotFormat::kPng : PlotFormat::kSvg,
          .max_dot_bytes = flags.max_plot_bytes,
          .timeout = std::chrono::milliseconds(flags.plot_timeout_ms)};
}

Detail detail_of(const CheckFlags& flags) {
  return flags.quiet ? Detail::kQuiet : flags.verbose ? Detail::kVerbose : Detail::kNormal;
}

}  // namespace

void add_workload_flags(Options& options, CheckFlags& flags) {
  options.begin_group("Settings of workloads that a history does not contain");
  WorkloadSettings& settings = flags.settings;
  options.value("--accounts", "NAMES", flags.accounts,
                "bank: comma-separated (default: those of the first read)");
  options.number("--total-amount", "N", settings.total_amount,
                 "bank: what balances add up to (default: those of the first read)",
                 {.least = std::numeric_limits<std::int64_t>::min()});
  options.flag("--negative-balances", settings.negative_balances, "bank: they are allowed")
      .true_or_false();
  options.number("--group-size", "N", settings.group_size,
                 "long-fork: keys of a read (default: those that a read has)");
  options.number("--key-count", "N", settings.key_count,
                 "sequential: subkeys of a key (default: those that reads show)");
  options
      .flag("--linearizable-elements", settings.linearizable_elements,
            "set-full: an element that a read misses after its add is an error")
      .true_or_false();
  add_lock_flags(options, settings);
  options.value("--sub-via", "NAMES", flags.sub_via,
                "kafka: assign, subscribe or both, comma-separated");
  options
      .flag("--ww-deps", settings.ww_deps,
            "kafka: also use dependencies from the order of a log's offsets")
      .true_or_false();
}

WorkloadSettings settings_of(const CheckFlags& flags) {
  WorkloadSettings settings = flags.settings;
  const auto split = [](std::string_view list) {
    const std::vector<std::string_view> names = split_list(list);
    return std::vector<std::string>(names.begin(), names.end());
  };
  settings.accounts = split(flags.accounts);
  settings.sub_via = split(flags.sub_via);
  return settings;
}

void add_keys_level(Options& options, CheckFlags& flags) {
  options
      .value("--keys", "LEVEL", flags.keys,
             "What each key by itself must be beside the levels: sequential or linearizable; the "
             "same as --sequential-keys or --linearizable-keys")
      .one_of({"sequential", "linearizable"});
}

void add_question_flags(Options& options, CheckFlags& flags) {
  add_level_flags(options, flags);
  add_assumption_flags(options, flags);
  add_workload_flags(options, flags);
  add_budget_flags(options, flags);
}

void add_level_rules(Options& options, std::string& rules) {
  options.value("--level-of", "RULES", rules,
                "The level that each transaction asked for, as 'f=transfer: serializable; "
                "process<3 & read-only: si; read-committed'");
}

Result<LevelRules> level_rules_of(const std::string& rules) {
  Result<LevelRules> parsed =
      rules.empty() ? Result<LevelRules>(LevelRules()) : parse_level_rules(rules);
  return parsed ? std::move(parsed)
                : Result<LevelRules>(usage_error("--level-of: " + parsed.error().message));
}

namespace {

void add_availability(Options& options, CheckFlags& flags) {
  options.value(
      "--availability", "SHARE", flags.availability,
      "Share of all operations that must succeed, as in Maelstrom: total, or a number from 0 to 1");
}

}  // namespace

void add_asked_flags(Options& options, CheckFlags& flags) {
  add_input_flags(options, flags.input);
  add_question_flags(options, flags);
  add_keys_level(options, flags);
  add_availability(options, flags);
}

void add_check_flags(Options& options, CheckFlags& flags) {
  add_asked_flags(options, flags);
  add_answer_flags(options, flags);
}

void add_answer_flags(Options& options, CheckFlags& flags) {
  add_evidence_flags(options, flags);
  add_text_flags(options, flags);
}

std::string question_words(const CheckFlags& flags) {
  return answer_words(flags, add_asked_flags);
}

void add_certified_flags(Options& options, CheckFlags& flags) {
  add_reading_flags(options, flags.input);
  add_level_rules(options, flags.level_rules);
  options.flag("--independent", flags.input.independent,
               "Values are [key value] tuples: each key is a history of its own");
  add_failed_cas_flag(options, flags.failed_cas);
  add_lock_flags(options, flags.settings);
}

std::string reading_words(const CheckFlags& flags) {
  return answer_words(flags, add_certified_flags);
}

Result<CheckRequest> check_request(const CheckFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(ReadOptions read, read_options(flags.input));
  ELAPID_ASSIGN_OR_RETURN(CheckOptions check, check_options(flags));
  ELAPID_ASSIGN_OR_RETURN(const Limits limits, limits_of(flags));
  ELAPID_ASSIGN_OR_RETURN(const FailOn fail_on, parse_fail_on(flags.fail_on));
  ELAPID_ASSIGN_OR_RETURN(const std::optional<LeastContention> least,
                          least_contention_of(flags, fail_on));
  if (flags.elle_compat && !flags.level_rules.empty()) {
    return usage_error("--elle-compat: Elle knows no levels by transaction (--level-of)");
  }
  ELAPID_ASSIGN_OR_RETURN(LevelRules rules, level_rules_of(flags.level_rules));
  std::optional<double> availability;
  if (!flags.availability.empty()) {
    const Result<double> share = parse_availability(flags.availability);
    if (!share) {
      return usage_error("--availability: " + share.error().message);
    }
    availability = share.value();
  }
  CheckRequest request = {.inputs = flags.input.inputs,
                          .threads = thread_count(flags.input),
                          .job = {.read = std::move(read),
                                  .check = std::move(check),
                                  .limits = limits,
                                  .demands_default = flags.consistency_models.empty(),
                                  .levels = std::move(rules),
                                  .availability = availability},
                          .output = output_format(flags.input),
                          .detail = detail_of(flags),
                          .full = flags.full,
                          .colour = wants_colour(flags.colour),
                          .fail_on_lint = fail_on.lint,
                          .least_contention = least,
                          .plots = plot_options(flags)};
  request.job.read.elle_compat = flags.elle_compat;
  request.job.limits.scratch.is_allowed = !fail_on.vacuous;  // contention counts all operations
  request.question = question_words(flags);
  request.reading = reading_words(flags);
  if (!flags.max_map.empty()) {
    ELAPID_ASSIGN_OR_RETURN(request.max_map_bytes, parse_bytes(flags.max_map));
  }
  if (!flags.certificate.empty()) {
    request.certificate = flags.certificate;
  }
  if (!flags.directory.empty()) {
    request.directory = flags.directory;
  }
  return request;
}

void share_threads(std::size_t inputs, CheckRequest& request) {
  request.job.check.threads = inputs == 1 ? request.threads : 1;
  request.job.read.threads = request.job.check.threads;
}

}  // namespace elapid
