#include "parsers/door/door.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/memory_account.h"
#include "engine/workloads/table.h"
#include "parsers/door/test_settings.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

/// The operations of a history of no workload, without their colons.
std::vector<std::string> functions_of(const History& history) {
  std::set<std::string> names;
  for (const Op& op : history.all_ops()) {
    if (op.kind() == OpKind::kOther) {
      names.insert(history.text(op.value()).substr(1));
    }
  }
  return {names.begin(), names.end()};
}

Error not_checked(const History& history, const OptionWords& words) {
  const std::vector<std::string> functions = functions_of(history);
  const std::vector<std::string_view> fitting =
      functions.empty() ? std::vector<std::string_view>() : workloads_with(functions);
  if (!fitting.empty()) {
    return usage_error(fmt::format("operations :{} may be those of {}: say which by {}",
                                   fmt::join(functions, ", :"), fmt::join(fitting, ", "),
                                   words.workload));
  }
  return usage_error(fmt::format(
      "its operations are those of a workload that elapid does not check; it checks {} (see {})",
      fmt::join(checked_workloads(), ", "), words.workload));
}

}  // namespace

ModelSet models_demanded(const CheckJob& job, const History& history) {
  if (!job.demands_default) {
    return job.check.models;
  }
  if (!history.workload().has_levels()) {
    return {};
  }
  const HistoryInfo& info = history.info();
  return info.is_session_trace && !info.has_real_time ? ModelSet{Model::kStrongSessionSerializable}
                                                      : job.check.models;
}

Result<Verdict> check_loaded(const LoadedHistory& loaded, const CheckOptions& options) {
  if (options.assumptions.elle_compat) {  // elle-cli knows only what it is told
    return check_history(loaded.history(), options);
  }
  CheckOptions told = options;
  told.settings = with_settings_of_test(loaded, options.settings);
  return check_history(loaded.history(), told);
}

Result<Verdict> check_as_asked(const LoadedHistory& loaded, const CheckJob& job,
                               const Observer& observer) {
  const MemoryLimit limit(job.limits.memory.value_or(MemoryLimit::kNone));
  CheckOptions options = job.check;
  options.models = models_demanded(job, loaded.history());
  const bool has_own =
      !loaded.history().levels().is_empty() && loaded.history().workload().has_levels();
  options.by_transaction = options.by_transaction ||
                           (job.demands_default && has_own && !options.assumptions.elle_compat);
  options.progress = observer.checking;
  set_limits(job.limits, options);
  return check_loaded(loaded, options);
}

Result<Verdict> check_history(const History& history, const CheckOptions& options) {
  if (!row_of(history.workload()).is_checked()) {
    return not_checked(history, options.words);
  }
  return check(history, options);
}

Result<std::vector<CheckedHistory>> check_input(const std::string& path, const CheckJob& job,
                                                const Observer& observer) {
  const MemoryLimit limit(job.limits.memory.value_or(MemoryLimit::kNone));
  const auto start = Clock::now();
  ReadOptions read = job.read;
  read.progress = observer.reading;
  Result<std::vector<LoadedHistory>> loaded = read_histories(path, read);
  if (!loaded) {
    return loaded.error();
  }
  const auto reading = Clock::now() - start;
  std::vector<CheckedHistory> checked;
  for (LoadedHistory& history : loaded.value()) {
    const auto check_start = Clock::now();
    std::vector<std::string> warnings = apply(job.levels, history.history());
    Result<Verdict> verdict = check_as_asked(history, job, observer);
    if (!verdict) {
      Error error = std::move(verdict).error();
      error.file = label_of(path, history);
      return error;
    }
    std::ranges::move(warnings, std::back_inserter(verdict.value().warnings));
    checked.push_back({.loaded = std::move(history),
                       .verdict = std::move(verdict).value(),
                       .reading = reading,
                       .checking = Clock::now() - check_start});
  }
  return checked;
}

std::string label_of(const std::string& path, const LoadedHistory& history) {
  return history.key().empty() ? path : path + " [key " + history.key() + "]";
}

/// The value of a tuple, in the history of its key.
std::string own_value(const LoadedHistory& loaded, std::string value) {
  const auto pair = loaded.key().empty() ? std::nullopt : elements_of(value);
  return pair && pair->size() == 2 ? std::string(pair->back()) : std::move(value);
}

EventFieldsFn event_fields(LoadedHistory& loaded) {
  return [&loaded](TxnId txn, EventKind kind) -> EventFields {
    Result<EventDetails> details = loaded.details(loaded.history().event(txn, kind).position);
    if (!details) {
      return {};  // the source is gone meanwhile: the history itself still tells what matters
    }
    return {.f = std::move(details.value().f),
            .value = own_value(loaded, std::move(details.value().value)),
            .index = details.value().index,
            .extras = std::move(details.value().extras)};
  };
}

}  // namespace elapid
