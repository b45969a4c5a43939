#include "parsers/door/door.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/memory_account.h"
#include "engine/levels/asked_levels.h"
#include "engine/levels/entailment.h"
#include "engine/workloads/table.h"
#include "parsers/door/availability.h"
#include "parsers/door/names.h"
#include "parsers/door/test_settings.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/split_check.h"
#include "parsers/test_map.h"

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

/// In memory a history takes about so many times the bytes of its input.
constexpr std::uint64_t kMemoryOfInput = 2;
/// Files that are open at once, three a partition, are few.
constexpr std::uint64_t kMostPartitions = 128;
/// Compressed histories grow about so many times.
constexpr std::uint64_t kCompression = 10;

/// Why the question is not one that is answered of partitions; empty if it is.
std::string why_in_memory(const CheckJob& job) {
  const CheckOptions& check = job.check;
  const auto needs = [](std::string_view what) {
    return fmt::format("{} needs the whole of it in memory", what);
  };
  if (job.read.workload.value_or(Workload::kListAppend) != Workload::kListAppend) {
    return "its workload is not list-append";
  }
  return check.each_model                ? needs("each level of all")
         : check.needs_order             ? needs("a certificate")
         : check.engine != Engine::kAuto ? needs("an engine that is asked for by name")
         : check.cross_check             ? needs("a cross-check")
         : check.by_transaction || !job.levels.empty() ? needs("a level for each transaction")
         : check.assumptions.elle_compat || job.read.elle_compat ? needs("Elle's way")
         : job.read.for_lint                                     ? needs("lint")
         : job.read.independent                                  ? needs("a history for each key")
         : job.read.salvage ? needs("what is left of a damaged input")
                            : "";
}

/// Whether a level or an anomaly that is asked for depends on anti-dependencies.
bool needs_rw(const CheckJob& job) {
  const bool is_weak = (job.check.models & ~entailed(Model::kPl2)).none();
  return job.demands_default || !is_weak || job.check.anomalies.any();
}

/// Bytes of memory that the whole history takes.
std::uint64_t needed_for(const ByteSource& source, const std::string& path) {
  const bool is_compressed = path.ends_with(".gz") || path.ends_with(".zst");
  return source.total() * kMemoryOfInput * (is_compressed ? kCompression : 1);
}

/// In how many partitions, of each process, the input is to be checked; 0: in memory.
unsigned partitions_for(std::uint64_t needed, const CheckJob& job) {
  const Scratch& scratch = job.limits.scratch;
  if (scratch.partitions > 0 || !job.limits.memory) {
    return std::max(scratch.partitions, scratch.peers != nullptr ? 1U : 0U);
  }
  constexpr std::uint64_t kPartsOfMemory = 4;  // that one partition may take
  const std::uint64_t ranks = scratch.peers != nullptr ? scratch.peers->count() : 1;
  const std::uint64_t count = needed > *job.limits.memory || ranks > 1
                                  ? 1 + needed * kPartsOfMemory / *job.limits.memory / ranks
                                  : 0;
  return static_cast<unsigned>(std::min(count, kMostPartitions));
}

/// Bytes of input that are read at a time.
std::uint64_t piece_of(const Limits& limits) {
  constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;
  constexpr std::uint64_t kPartsOfMemory = 16;
  return limits.scratch.piece > 0
             ? limits.scratch.piece
             : std::min(kLargest,
                        limits.memory.value_or(kLargest * kPartsOfMemory) / kPartsOfMemory);
}

/// The history as one, from partitions.
CheckedHistory checked_split(SplitVerdict split, Clock::duration took) {
  return {.loaded = std::move(split.part),
          .verdict = std::move(split.verdict),
          .reading = {},
          .checking = took};
}

/// What the map of the test claims, as `:consistency-models [:read-committed]` of Maelstrom; empty
/// where it names none, or one that is not known.
ModelSet models_of_test(const History& history) {
  constexpr std::array<std::string_view, 1> kKey = {":consistency-models"};
  if (history.info().files.empty()) {
    return {};
  }
  std::string names;
  for (const auto& [key, value] : read_test_map(history.info().files.front(), kKey)) {
    const auto named = value.starts_with('{') ? std::nullopt : elements_of(value);
    for (const std::string_view name : named.value_or(std::vector<std::string_view>())) {
      names += (names.empty() ? "" : ",") + std::string(name.substr(1));
    }
  }
  const Result<ModelSet> models = parse_models(names, false);
  return models ? models.value() : ModelSet();
}

/// In place of models that were not asked for.
ModelSet models_demanded(const CheckJob& job, const History& history) {
  if (!job.demands_default) {
    return job.check.models;
  }
  if (!history.workload().has_levels()) {
    return {};
  }
  if (!job.check.assumptions.elle_compat) {
    if (const ModelSet models = models_of_test(history); models.any()) {
      return models;
    }
  }
  const HistoryInfo& info = history.info();
  return info.is_session_trace && !info.has_real_time ? ModelSet{Model::kStrongSessionSerializable}
                                                      : job.check.models;
}

/// Where no level is asked for, transactions are held to their own.
bool may_have_own_levels(const History& history, const CheckJob& job) {
  return job.demands_default && !job.check.by_transaction && !job.check.assumptions.elle_compat &&
         !history.levels().is_empty() && history.workload().has_levels();
}

}  // namespace

std::string set_demands(const CheckJob& job, const History& history, CheckOptions& options) {
  options.models = models_demanded(job, history);
  if (!may_have_own_levels(history, job)) {
    return {};
  }
  const Result<AskedLevels> asked = asked_levels(history);
  options.by_transaction = asked.ok() || !job.levels.empty();
  return options.by_transaction
             ? ""
             : "the levels that operations name do not count: " + asked.error().message;
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
  const std::string not_used = set_demands(job, loaded.history(), options);
  options.progress = observer.checking;
  set_limits(job.limits, options);
  Result<Verdict> verdict = check_loaded(loaded, options);
  if (verdict && !not_used.empty()) {
    verdict.value().warnings.push_back(not_used);
  }
  return verdict;
}

Result<Verdict> check_history(const History& history, const CheckOptions& options) {
  if (!row_of(history.workload()).is_checked()) {
    return not_checked(history, options.words);
  }
  return check(history, options);
}

namespace {

/// What became of an input that may have been too large for memory.
struct Opened {
  std::optional<SplitVerdict> split = {};
  std::unique_ptr<ByteSource> source = {};  ///< null: the path is to be opened
  std::string not_split = {};               ///< why, if that was tried

  [[nodiscard]] std::string words_not_split() const {
    return not_split.empty() ? "" : "; the history cannot be split: " + not_split;
  }
};

Result<Opened> open_or_split(const std::string& path, const CheckJob& job,
                             const Observer& observer) {
  const Scratch& scratch = job.limits.scratch;
  const bool may_need = job.limits.memory || scratch.partitions > 0 || scratch.peers != nullptr;
  std::error_code ignored;
  if (!may_need || !scratch.is_allowed) {
    return Opened();
  }
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    return Opened{.not_split = "it is a directory"};
  }
  if (std::string why = why_in_memory(job); !why.empty()) {
    return Opened{.not_split = std::move(why)};
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) {
    return std::move(source.error());
  }
  source.value()->set_line_limit({job.read.longest_line, job.read.words.longest_line});
  const std::uint64_t needed = needed_for(*source.value(), path);
  unsigned partitions = partitions_for(needed, job);
  if (scratch.peers != nullptr) {  // machines may have more memory or less
    partitions = std::ranges::max(tell_all_in_a_row(*scratch.peers, std::vector{partitions}));
  }
  if (partitions == 0) {
    return path == "-" ? Opened{.source = std::move(source).value()} : Opened();
  }
  Result<std::variant<SplitVerdict, NotSplit>> outcome = check_in_partitions(
      std::move(source).value(),
      {.scatter = {.read = job.read,
                   .piece_bytes = piece_of(job.limits),
                   .scratch = scratch.folder,
                   .progress = observer.checking},
       .partitions = partitions,
       .with_rw = needs_rw(job),
       .peers = scratch.peers,
       .check = [&](const LoadedHistory& part) { return check_as_asked(part, job, observer); }});
  if (!outcome) {
    Error error = std::move(outcome.error());
    error.file = path;
    return error;
  }
  if (auto* whole = std::get_if<NotSplit>(&outcome.value())) {
    return Opened{.source = std::move(whole->source), .not_split = std::move(whole->because)};
  }
  auto& split = std::get<SplitVerdict>(outcome.value());
  const bool may_know_more = scratch.peers != nullptr && needed <= job.limits.memory.value_or(0) &&
                             split.verdict.validity == Validity::kUnknown;
  return may_know_more ? Opened() : Opened{.split = std::move(split)};
}

/// The error of a judge, with the line of the operation that it is about, and with the workload
/// that the operations look like, where the user says another one.
Error completed(Error error, const std::string& path, LoadedHistory& loaded,
                const ReadOptions& read) {
  error.file = label_of(path, loaded);
  if (error.byte_offset && loaded.has_lines()) {
    error.line = loaded.line_column({.offset = *error.byte_offset}).line;
    error.byte_offset.reset();
  }
  if (error.kind == ErrorKind::kMalformed && read.workload && path != "-") {
    ReadOptions without = read;
    without.workload.reset();
    const Result<std::vector<LoadedHistory>> again = read_histories(path, without);
    const bool is_other = again && !again.value().empty() &&
                          again.value().front().history().workload() != loaded.history().workload();
    if (is_other && row_of(again.value().front().history().workload()).is_checked()) {
      error.message += "; the operations look like those of " +
                       std::string(again.value().front().history().workload().name());
    }
  }
  return error;
}

}  // namespace

Result<std::vector<CheckedHistory>> check_input(const std::string& path, const CheckJob& job,
                                                const Observer& observer) {
  const MemoryLimit limit(job.limits.memory.value_or(MemoryLimit::kNone));
  const auto start = Clock::now();
  ReadOptions read = job.read;
  read.progress = observer.reading;
  Result<Opened> opened = open_or_split(path, job, observer);
  if (!opened) {
    return opened.error();
  }
  if (opened.value().split) {
    std::vector<CheckedHistory> checked;
    checked.push_back(checked_split(*std::move(opened.value().split), Clock::now() - start));
    const std::span<const LoadedHistory> whole(&checked.front().loaded, 1);
    Availability(job.availability, whole, !job.check.assumptions.elle_compat)
        .judge(checked.front().verdict);
    return checked;
  }
  const Peers* const peers = job.limits.scratch.peers;
  if (peers != nullptr && !peers->is_first()) {
    return std::vector<CheckedHistory>();
  }
  Result<std::vector<LoadedHistory>> loaded =
      opened.value().source ? read_histories(std::move(opened.value().source), read)
                            : read_histories(path, read);
  if (!loaded) {
    Error error = std::move(loaded.error());
    if (error.kind == ErrorKind::kUnreadable && error.message.find("memory") != std::string::npos) {
      error.message += opened.value().words_not_split();
    }
    return error;
  }
  const auto reading = Clock::now() - start;
  const Availability availability(job.availability, loaded.value(),
                                  !job.check.assumptions.elle_compat);
  std::vector<CheckedHistory> checked;
  for (LoadedHistory& history : loaded.value()) {
    const auto check_start = Clock::now();
    std::vector<std::string> warnings = apply(job.levels, history.history());
    Result<Verdict> verdict = check_as_asked(history, job, observer);
    if (!verdict) {
      return completed(std::move(verdict).error(), path, history, read);
    }
    std::optional<std::string>& unknown = verdict.value().unknown_because;
    if (unknown && !job.limits.words.empty() &&
        unknown->find(job.limits.words) != std::string::npos) {
      *unknown += opened.value().words_not_split();
    }
    std::ranges::move(warnings, std::back_inserter(verdict.value().warnings));
    availability.judge(verdict.value());
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
