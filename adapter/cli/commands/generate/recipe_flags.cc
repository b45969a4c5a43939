#include "adapter/cli/commands/generate/recipe_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "engine/ir/integer_text.h"
#include "engine/ir/mapped.h"
#include "harness/generate/generate.h"
#include "harness/generate/store/store_kind.h"
#include "harness/generate/workloads/row_forms.h"
#include "harness/generate/workloads/workload_table.h"

namespace elapid {

namespace {

/// A number with up to `digits` decimals, times 10 to the power of `digits`.
std::optional<std::uint32_t> parse_decimal(std::string_view text, unsigned digits) {
  std::string whole(text.substr(0, text.find('.')));
  std::string_view rest = text.substr(whole.size());
  rest.remove_prefix(rest.empty() ? 0 : 1);
  if (whole.empty() || rest.size() > digits || (text.back() == '.')) {
    return std::nullopt;
  }
  whole += rest;
  whole.append(digits - rest.size(), '0');
  return integer_of<std::uint32_t>(whole);
}

Status take_percent(const std::optional<std::string>& text, std::string_view flag,
                    std::uint32_t& into) {
  if (!text) {
    return {};
  }
  const std::optional<std::uint32_t> number = parse_decimal(*text, 4);
  if (!number || *number > 1'000'000) {
    return usage_error(
        fmt::format("{}: expected a percentage, as 5 or 0.25, found {}", flag, *text));
  }
  into = *number;
  return {};
}

/// The parts of `zipf:0.99` behind the name.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t colon = 0; colon != std::string_view::npos;) {
    const std::size_t begin = colon == 0 ? 0 : colon + 1;
    colon = text.find(':', begin);
    parts.push_back(text.substr(begin, colon == std::string_view::npos ? colon : colon - begin));
  }
  return parts;
}

std::optional<Law> parse_law(std::string_view text) {
  const std::vector<std::string_view> parts = parts_of(text);
  Law law;
  if (parts.front() == "uniform" && parts.size() == 1) {
    return law;
  }
  if (parts.front() == "exponential" && parts.size() == 1) {
    law.kind = Law::Kind::kExponential;
    return law;
  }
  if (parts.front() == "zipf" && parts.size() <= 2) {
    law.kind = Law::Kind::kZipf;
    if (parts.size() == 2) {
      const auto exponent = parse_decimal(parts[1], 3);
      if (!exponent || *exponent > 10'000) {
        return std::nullopt;
      }
      law.exponent_thousandths = *exponent;
    }
    return law;
  }
  if (parts.front() == "hotspot" && (parts.size() == 1 || parts.size() == 3)) {
    law.kind = Law::Kind::kHotspot;
    if (parts.size() == 3) {
      const auto hot = parse_decimal(parts[1], 0);
      const auto share = parse_decimal(parts[2], 0);
      if (!hot || !share || *hot > 100 || *share > 100) {
        return std::nullopt;
      }
      law.hot_percent = *hot;
      law.share_percent = *share;
    }
    return law;
  }
  return std::nullopt;
}

Status take_law(const std::optional<std::string>& text, std::string_view flag, Law& into) {
  if (!text) {
    return {};
  }
  const std::optional<Law> law = parse_law(*text);
  if (!law) {
    return usage_error(
        fmt::format("{}: expected uniform, zipf, zipf:0.99, hotspot, hotspot:10:90 (a tenth of "
                    "them gets 90 %) or exponential, found {}",
                    flag, *text));
  }
  into = *law;
  return {};
}

template <class From, class To>
void take(const std::optional<From>& flag, To& into) {
  if (flag) {
    into = static_cast<To>(*flag);
  }
}

void take_numbers(const RecipeFlags& flags, Recipe& recipe) {
  take(flags.sessions, recipe.clients.sessions);
  take(flags.transactions, recipe.clients.transactions);
  take(flags.operations, recipe.clients.operations);
  take(flags.retries, recipe.clients.retries);
  take(flags.pace, recipe.clients.pace_percent);
  take(flags.clock_skew, recipe.clients.clock_skew);
  take(flags.keys, recipe.requests.keys);
  take(flags.max_writes, recipe.requests.max_writes);
  take(flags.values, recipe.requests.values);
  take(flags.staleness, recipe.storage.staleness);
  take(flags.replicas, recipe.storage.replicas);
  take(flags.failover_every, recipe.storage.failover_every);
  take(flags.lost_tail, recipe.storage.lost_tail);
  recipe.clients.loads = recipe.clients.loads || flags.loads;
  const GeneratedWorkload* workload = find_generated_workload(recipe.workload);
  recipe.clients.final_reads =
      flags.final_reads || (workload != nullptr && workload->ends_with_reads);
  recipe.clients.is_serial = flags.serial;
  if (flags.operations && !flags.transactions) {
    recipe.clients.transactions = std::numeric_limits<std::uint64_t>::max();
  }
}

/// Moves the other bound along where only one is given.
void take_lengths(const RecipeFlags& flags, WorkloadOptions& requests) {
  take(flags.min_length, requests.min_length);
  take(flags.max_length, requests.max_length);
  if (flags.min_length && !flags.max_length) {
    requests.max_length = std::max(requests.min_length, requests.max_length);
  }
  if (flags.max_length && !flags.min_length) {
    requests.min_length = std::min(requests.min_length, requests.max_length);
  }
}

template <class Rows>
std::vector<std::string_view> row_names(const Rows& rows) {
  return mapped<std::string_view>(rows, [&](const auto& row) { return row.name; });
}

/// `bank:3,scheduling`: forms of transactions, and how often each is drawn.
Status take_forms(const std::optional<std::string>& text, RowFormWeights& into) {
  if (!text) {
    return {};
  }
  into = {};
  for (std::size_t begin = 0; begin <= text->size();) {
    const std::size_t comma = std::min(text->find(',', begin), text->size());
    const std::vector<std::string_view> parts =
        parts_of(std::string_view(*text).substr(begin, comma - begin));
    const auto form = std::ranges::find(row_forms(), parts.front(), &RowFormRow::name);
    if (form == row_forms().end()) {
      return usage_error(fmt::format("there is no form {}{}", parts.front(),
                                     nearest(parts.front(), row_names(row_forms()))));
    }
    const auto weight = parts.size() == 1 ? std::optional(1U) : parse_decimal(parts[1], 0);
    if (parts.size() > 2 || !weight || *weight == 0 || *weight > 1'000'000) {
      return usage_error(
          fmt::format("--form: expected forms as bank:3,scheduling, found {}", *text));
    }
    into[static_cast<std::size_t>(form - row_forms().begin())] += *weight;
    begin = comma + 1;
  }
  return {};
}

/// A flag that was given, and whether it means anything here.
struct GivenFlag {
  bool is_given = false;
  bool is_heeded = true;
  std::string_view name = {};
};

/// `by`: the flag that decides it, as `-m mini`.
Status check_heeded(std::initializer_list<GivenFlag> flags, std::string_view by) {
  for (const GivenFlag& flag : flags) {
    if (flag.is_given && !flag.is_heeded) {
      return usage_error(fmt::format("{} does not apply to {}", flag.name, by));
    }
  }
  return {};
}

/// Refuses flags that would change nothing. Other code reports unknown workloads.
Status check_workload_flags(const RecipeFlags& flags, const Recipe& recipe, bool has_faults) {
  const GeneratedWorkload* workload = find_generated_workload(recipe.workload);
  if (workload == nullptr) {
    return {};
  }
  ELAPID_RETURN_IF_ERROR(check_heeded({{flags.forms.has_value(), workload->heeds_forms, "--form"}},
                                      fmt::format("-m {}", workload->name)));
  const bool lacks_values = workload->heeds_values && recipe.requests.values == 0;
  if (lacks_values && (flags.value_law || flags.repeating)) {
    return usage_error(
        fmt::format("{} needs --values", flags.value_law ? "--value-dist" : "--repeating"));
  }
  const bool has_store = !is_of_object(workload->name, has_faults);
  const bool retires_keys =
      workload->heeds_keys && has_store &&
      (workload->workload.has_levels() || workload->workload == Workload::kCasRegister) &&
      workload->name != "long-fork" && workload->name != "smallbank";
  return check_heeded(
      {{flags.store.has_value(), has_store, "-c"},
       {flags.loads, has_store, "--load"},
       {flags.final_reads, has_store, "--final-reads"},
       {flags.serial, has_store, "--serial"},
       {flags.retries.has_value(), has_store, "--retries"},
       {flags.pace.has_value(), has_store, "--pace"},
       {flags.keys.has_value(), workload->heeds_keys, "--keys"},
       {flags.key_law.has_value(), workload->heeds_keys && has_store, "--key-dist"},
       {flags.max_writes.has_value(), retires_keys, "--max-writes-per-key"},
       {flags.min_length.has_value(), workload->heeds_lengths, "--min-txn-length"},
       {flags.max_length.has_value(), workload->heeds_lengths, "--max-txn-length"},
       {flags.reads.has_value(), workload->heeds_reads, "--reads"},
       {flags.values.has_value(), workload->heeds_values, "--values"},
       {flags.value_law.has_value(), workload->heeds_values && has_store, "--value-dist"},
       {flags.repeating.has_value(), workload->heeds_values && has_store, "--repeating"}},
      fmt::format("-m {}{}", recipe.workload,
                  has_store != is_of_object(recipe.workload, false) ? "" : " with --inject"));
}

Status check_store_flags(const RecipeFlags& flags, const Recipe& recipe) {
  const StoreKind* store = find_store(recipe.store);
  if (store == nullptr) {
    return {};
  }
  const bool has_replicas = store->view == View::kReplica;
  const bool has_past = has_replicas || store->view == View::kEachRead ||
                        store->view == View::kEachReadAtomic || store->view == View::kPast ||
                        store->view == View::kPastToRead;
  return check_heeded({{flags.staleness.has_value(), has_past, "--staleness"},
                       {flags.retries.has_value(), !store->shows_uncommitted(), "--retries"},
                       {flags.replicas.has_value(), has_replicas, "--replicas"},
                       {flags.failover_every.has_value(), store->loses_tail, "--failover-every"},
                       {flags.lost_tail.has_value(), store->loses_tail, "--lost-tail"}},
                      fmt::format("-c {}", store->name));
}

std::uint64_t any_seed() {
  std::random_device device;
  return device();
}

}  // namespace

Result<Recipe> recipe_of(const RecipeFlags& flags, bool has_faults) {
  Recipe recipe;
  if (!flags.preset.empty()) {
    const Preset* preset = find_preset(flags.preset);
    if (preset == nullptr) {
      return usage_error("there is no preset " + flags.preset +
                         nearest(flags.preset, row_names(presets())));
    }
    recipe = preset->recipe;
  }
  recipe.workload = flags.workload ? std::string_view(*flags.workload) : recipe.workload;
  recipe.store = flags.store ? std::string_view(*flags.store) : recipe.store;
  take_numbers(flags, recipe);
  take_lengths(flags, recipe.requests);
  recipe.clients.seed = flags.seed.value_or(0);
  if (!flags.seed) {
    recipe.clients.seed = any_seed();
  }
  Faults& faults = recipe.clients.faults;
  for (Status status :
       std::array{take_percent(flags.reads, "--reads", recipe.requests.reads),
                  take_percent(flags.repeating, "--repeating", recipe.requests.repeating),
                  take_percent(flags.aborts, "--aborts", faults.aborts),
                  take_percent(flags.indeterminate, "--indeterminate", faults.indeterminate),
                  take_percent(flags.crashes, "--crashes", faults.crashes),
                  take_law(flags.key_law, "--key-dist", recipe.requests.key_law),
                  take_law(flags.value_law, "--value-dist", recipe.requests.value_law),
                  take_forms(flags.forms, recipe.requests.forms)}) {
    ELAPID_RETURN_IF_ERROR(status);
  }
  for (Status status :
       {check_workload_flags(flags, recipe, has_faults), check_store_flags(flags, recipe)}) {
    ELAPID_RETURN_IF_ERROR(status);
  }
  return recipe;
}

void add_request_flags(Options& options, RecipeFlags& flags) {
  options.value("-m,--model", "WORKLOAD", flags.workload, "What clients do (default list-append)")
      .proposes(row_names(generated_workloads()));
  options
      .value("--preset", "NAME", flags.preset,
             "A published shape, as BlindW-RW or tpcc-14k; other flags change it")
      .proposes(row_names(presets()));
  options.number("--seed", "N", flags.seed,
                 "The same seed makes the same history (default: a random seed)");

  options.begin_group("How much");
  options.number("--transactions", "N", flags.transactions,
                 "Number of transactions (default 1000)");
  options.number("--operations", "N", flags.operations, "Begin no transaction after N operations");
  options.number("--sessions", "N", flags.sessions, "Clients at a time (default 10)",
                 {1, 1'000'000});
  options.number("--min-txn-length", "N", flags.min_length,
                 "Operations of a transaction at least (default 1)", {1, 100'000});
  options.number("--max-txn-length", "N", flags.max_length,
                 "Operations of a transaction at most (default 4)", {1, 100'000});
  options.value("--reads", "PERCENT", flags.reads, "Share of reads (default 50)");

  options.begin_group("Keys and values");
  options.number("--keys", "N", flags.keys, "Keys in use at a time (default 10)", {1, 100'000'000});
  options.number("--max-writes-per-key", "N", flags.max_writes,
                 "Writes after which a new key takes a key's place (default 32); 0: never");
  options.value(
      "--key-dist", "LAW", flags.key_law,
      "How often keys are drawn: uniform (default), zipf:0.99, hotspot:10:90, exponential");
  options.number("--values", "N", flags.values,
                 "Draw written values from N; by default no key gets a value twice",
                 {0, 100'000'000});
  options.value("--value-dist", "LAW", flags.value_law,
                "How often each of the N values is drawn; as --key-dist");
  options.value("--repeating", "PERCENT", flags.repeating, "Share of the keys whose values repeat");
  options
      .value("--form", "NAMES", flags.forms,
             "Forms of transactions of the workload predicates, as bank or bank:3,scheduling "
             "(default: all forms)")
      .proposes(row_names(row_forms()));
  options.flag("--load", flags.loads, "A first transaction writes all registers");
}

void add_recipe_flags(Options& options, RecipeFlags& flags) {
  options
      .value("-c,--consistency-models,--levels", "STORE", flags.store,
             "The level that the database keeps (default strict-serializable), or another one of "
             "--list")
      .proposes(row_names(store_kinds()));
  add_request_flags(options, flags);
  options.flag("--final-reads", flags.final_reads, "Read everything in the end");
  options.flag("--serial", flags.serial,
               "One transaction after the other, and as many of each session");

  options.begin_group("What goes wrong");
  options.value("--aborts", "PERCENT", flags.aborts, "Transactions that their client rolls back");
  options.value("--indeterminate", "PERCENT", flags.indeterminate,
                "Transactions whose outcome the client never learns (:info)");
  options.value("--crashes", "PERCENT", flags.crashes, "Clients that die: there is no completion");
  options.number("--retries", "N", flags.retries,
                 "How often a client tries again what the database has aborted (default 0)");
  options.number("--pace", "PERCENT", flags.pace,
                 "How fast the fastest session is, the slowest being 100", {100, 100'000});
  options.number("--staleness", "COMMITS", flags.staleness,
                 "How old a version that is read may be (default 24)", {0, 64});
  options.number("--replicas", "N", flags.replicas, "Replicas of stale-replicas (default 3)",
                 {1, 1'000});
  options.number("--failover-every", "COMMITS", flags.failover_every,
                 "Commits between failovers of lossy-failover, on average (default 200)",
                 {1, 1'000'000'000});
  options.number("--lost-tail", "COMMITS", flags.lost_tail,
                 "Commits that a failover of lossy-failover loses at most (default 10)", {0, 64});
  options.number("--clock-skew", "NS", flags.clock_skew,
                 "Greatest difference between the clocks of timestamps");
}

}  // namespace elapid
