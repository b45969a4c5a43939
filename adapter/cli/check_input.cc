#include "adapter/cli/check_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "adapter/cli/input_flags.h"
#include "adapter/cli/names.h"
#include "engine/workloads/table.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

ModelSet models_demanded(const CheckRequest& request, const HistoryInfo& info) {
  if (!request.demands_default || !info.is_session_trace) {
    return request.check.models;
  }
  ModelSet models;
  return models.set(Model::kStrongSessionSerializable);
}

Result<Verdict> check_loaded(const LoadedHistory& loaded, CheckOptions options) {
  if (!row_of(loaded.history().workload()).is_checked()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("its operations are those of a workload that is not there "
                                        "yet; there is {} (see --model)",
                                        fmt::join(workload_names(), ", "))};
  }
  return check(loaded.history(), options);
}

Result<std::vector<CheckedHistory>> check_input(const std::string& path,
                                                const CheckRequest& request, Progress& progress) {
  const auto start = Clock::now();
  Result<std::vector<LoadedHistory>> loaded = read_inputs(path, request.read, progress);
  if (!loaded) {
    return loaded.error();
  }
  const auto reading = Clock::now() - start;
  std::vector<CheckedHistory> checked;
  for (LoadedHistory& history : loaded.value()) {
    const auto check_start = Clock::now();
    CheckOptions options = request.check;
    options.models = models_demanded(request, history.history().info());
    options.threads = request.inputs.size() == 1 ? request.threads : 1;
    set_limits(request.limits, options);
    options.progress = [&](std::string_view stage) { return progress.stage(path, stage); };
    Result<Verdict> verdict = check_loaded(history, options);
    if (!verdict) {
      Error error = std::move(verdict).error();
      error.file = label_of(path, history);
      return error;
    }
    checked.push_back({.loaded = std::move(history),
                       .verdict = std::move(verdict).value(),
                       .reading = reading,
                       .checking = Clock::now() - check_start});
  }
  return checked;
}

EventFieldsFn event_fields(LoadedHistory& loaded) {
  return [&loaded](TxnId txn, EventKind kind) -> EventFields {
    Result<EventDetails> details = loaded.details(loaded.history().event(txn, kind).position);
    if (!details) {
      return {};  // the source is gone meanwhile: the history itself still tells what matters
    }
    return {.f = std::move(details.value().f), .extras = std::move(details.value().extras)};
  };
}

}  // namespace elapid
