#include "parsers/door/door.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

#include "engine/ir/call.h"
#include "engine/ir/memory_account.h"
#include "engine/levels/asked_levels.h"
#include "engine/levels/entailment.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/pieces.h"
#include "parsers/door/availability.h"
#include "parsers/door/names.h"
#include "parsers/door/test_settings.h"
#include "parsers/partitions/keyed_lines.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/pieces.h"
#include "parsers/partitions/split_check.h"
#include "parsers/test_map.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

/// The names of the operations of a history without a workload, without colons.
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

/// The memory of a history, in multiples of its input's bytes.
constexpr std::uint64_t kMemoryOfInput = 2;
/// The memory that a thread takes while it reads: pieces of input, and what they were parsed to.
constexpr std::uint64_t kMemoryOfThread = 4 * InputPiece::kBytes;
/// Few enough for the three open files of each partition.
constexpr std::uint64_t kMostPartitions = 128;
/// The size of a decompressed history, in multiples of the compressed bytes.
constexpr std::uint64_t kCompression = 10;

std::string needs_whole(std::string_view what) {
  return fmt::format("{} needs the whole history in memory", what);
}

/// Why partitions cannot answer the question, of lists or of keys; empty if they may.
std::string why_in_memory(const CheckJob& job) {
  const CheckOptions& check = job.check;
  return check.needs_order                             ? needs_whole("a certificate")
         : check.by_transaction || !job.levels.empty() ? needs_whole("a level for each transaction")
         : check.assumptions.elle_compat || job.read.elle_compat
             ? needs_whole("compatibility with Elle")
         : job.read.for_lint ? needs_whole("lint")
         : job.read.salvage  ? needs_whole("salvaging")
                             : "";
}

/// Why partitions of lists cannot answer the question; empty if they can.
std::string why_not_as_lists(const CheckJob& job) {
  const CheckOptions& check = job.check;
  return job.read.workload.value_or(Workload::kListAppend) != Workload::kListAppend
             ? "its workload is not list-append"
         : check.each_model              ? needs_whole("each level of all")
         : check.engine != Engine::kAuto ? needs_whole("an engine that is asked for by name")
         : check.cross_check             ? needs_whole("a cross-check")
         : check.assumptions.sequential_keys || check.assumptions.linearizable_keys
             ? needs_whole("an assumption about keys")
         : job.read.independent ? "its keys are histories of their own"
                                : "";
}

/// The demand on the sweep. Anomalies asked for may concern any level.
Demand demand_of(const CheckJob& job) {
  return job.demands_default || job.check.anomalies.any() ? Demand::kSerial
                                                          : demand_of(job.check.models);
}

/// The memory that the whole history needs, in bytes.
std::uint64_t needed_for(const ByteSource& source, const std::string& path) {
  const bool is_compressed = path.ends_with(".gz") || path.ends_with(".zst");
  return source.total() * kMemoryOfInput * (is_compressed ? kCompression : 1);
}

/// The number of partitions of each process; 0: the check is in memory.
unsigned partitions_for(std::uint64_t needed, const CheckJob& job) {
  const Scratch& scratch = job.limits.scratch;
  if (scratch.partitions > 0 || !job.limits.memory) {
    return std::max(scratch.partitions, scratch.peers != nullptr ? 1U : 0U);
  }
  constexpr std::uint64_t kPartsOfMemory = 4;  // so that a partition takes one of so many parts
  const std::uint64_t ranks = scratch.peers != nullptr ? scratch.peers->count() : 1;
  const std::uint64_t count = needed > *job.limits.memory || ranks > 1
                                  ? 1 + needed * kPartsOfMemory / *job.limits.memory / ranks
                                  : 0;
  return static_cast<unsigned>(std::min(count, kMostPartitions));
}

/// The bytes of input that are read at a time.
std::uint64_t piece_of(const Limits& limits) {
  constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;
  constexpr std::uint64_t kPartsOfMemory = 16;
  return limits.scratch.piece > 0
             ? limits.scratch.piece
             : std::min(kLargest,
                        limits.memory.value_or(kLargest * kPartsOfMemory) / kPartsOfMemory);
}

/// The verdict on the whole history, from partitions.
CheckedHistory checked_split(SplitVerdict split, Clock::duration took) {
  return {.loaded = std::move(split.part),
          .verdict = std::move(split.verdict),
          .reading = {},
          .checking = took};
}

/// The levels that the test's map names, as `:consistency-models [:read-committed]` of Maelstrom;
/// empty if it names none that is known. `unknown`: the names that are not.
ModelSet models_of_test(const TestMap& test, std::string& unknown) {
  const auto told = test.find(":consistency-models");
  const auto named = told == test.end() || told->second.starts_with('{')
                         ? std::nullopt
                         : elements_of(told->second);
  ModelSet models;
  for (const std::string_view name : named.value_or(std::vector<std::string_view>())) {
    if (const Result<ModelSet> known = parse_models(name.substr(1), false)) {
      models = models | known.value();
    } else {
      unknown += (unknown.empty() ? "" : ", ") + std::string(name);
    }
  }
  return models;
}

/// The models to check; the defaults if the user asks for none. `unknown`: the names in the test's
/// map that are not known.
ModelSet models_demanded(const CheckJob& job, const LoadedHistory& loaded, std::string& unknown) {
  const History& history = loaded.history();
  if (!job.demands_default) {
    return job.check.models;
  }
  if (!history.workload().has_levels()) {
    return {};
  }
  if (!job.check.assumptions.elle_compat) {
    if (const ModelSet models = models_of_test(loaded.test(), unknown); models.any()) {
      return models;
    }
  }
  const HistoryInfo& info = history.info();
  return info.is_session_trace && !info.has_real_time ? ModelSet{Model::kStrongSessionSerializable}
                                                      : job.check.models;
}

/// Whether transactions are checked at their own levels, since the user asks for no level.
bool may_have_own_levels(const History& history, const CheckJob& job) {
  return job.demands_default && !job.check.by_transaction && !job.check.assumptions.elle_compat &&
         !history.levels().is_empty() && history.workload().has_levels();
}

}  // namespace

std::string set_demands(const CheckJob& job, const LoadedHistory& loaded, CheckOptions& options) {
  const History& history = loaded.history();
  std::string unknown;
  options.models = models_demanded(job, loaded, unknown);
  options.claims_in_general = !job.read.workload;
  if (!may_have_own_levels(history, job)) {
    const bool is_left_out =
        !job.levels.empty() && !options.by_transaction && !history.workload().has_levels();
    return is_left_out
               ? fmt::format("the rules of levels have no effect: workload {} has no levels",
                             history.workload().name())
           : unknown.empty()
               ? ""
               : "levels that the test's map names do not count, as they are not known: " + unknown;
  }
  const Result<AskedLevels> asked = asked_levels(history);
  options.by_transaction = asked.ok() || !job.levels.empty();
  return options.by_transaction
             ? ""
             : "the levels that operations name are ignored: " + asked.error().message;
}

Result<Verdict> check_loaded(const LoadedHistory& loaded, const CheckOptions& options) {
  if (options.assumptions.elle_compat) {  // elle-cli uses only its options
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
  const std::string not_used = set_demands(job, loaded, options);
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

/// The state of an input that may be too large for memory.
struct Opened {
  std::optional<SplitVerdict> split = {};
  bool is_visited = false;                  ///< all histories of keys were visited
  std::unique_ptr<ByteSource> source = {};  ///< null: the path is to be opened
  std::string not_split = {};               ///< why, if that was tried

  [[nodiscard]] std::string words_not_split() const {
    return not_split.empty() ? "" : "; the history cannot be split: " + not_split;
  }
};

/// What an error adds if the operations look like those of another workload than the named one.
std::string words_on_likely_workload(const std::string& path, const ReadOptions& read) {
  ReadOptions without = read;
  without.workload.reset();
  const Result<std::vector<LoadedHistory>> again = read_histories(path, without);
  if (!again || again.value().empty() || again.value().front().history().op_count() == 0) {
    return "";
  }
  const Workload likely = again.value().front().history().workload();
  return likely != *read.workload && row_of(likely).is_checked()
             ? "; the operations look like those of " + std::string(likely.name())
             : "";
}

/// The check of one input.
class InputCheck {
 public:
  InputCheck(const std::string& path, const CheckJob& job, const Observer& observer,
             const VisitHistory& visit)
      : path_(path), job_(job), observer_(observer), visit_(visit), read_(job.read) {
    read_.progress = observer.reading;
  }

  Status run() {
    Result<Opened> opened = open_or_split();
    if (!opened) {
      return opened.error();
    }
    const Peers* const peers = job_.limits.scratch.peers;
    if (opened.value().split) {
      CheckedHistory checked =
          checked_split(*std::move(opened.value().split), Clock::now() - start_);
      Availability(job_, {&checked.loaded, 1}).judge(checked.verdict);
      tell(std::move(checked), {});
    }
    const bool is_done = opened.value().split || opened.value().is_visited ||
                         (peers != nullptr && !peers->is_first());
    return is_done ? Status() : check_in_memory(std::move(opened).value());
  }

 private:
  Result<Opened> open_or_split() {
    const Scratch& scratch = job_.limits.scratch;
    const bool may_need = job_.limits.memory || scratch.partitions > 0 || scratch.peers != nullptr;
    std::error_code ignored;
    if (!may_need || !scratch.is_allowed) {
      return Opened();
    }
    if (path_ != "-" && std::filesystem::is_directory(path_, ignored)) {
      return Opened{.not_split = "it is a directory"};
    }
    if (std::string why = why_in_memory(job_); !why.empty()) {
      return Opened{.not_split = std::move(why)};
    }
    Result<std::unique_ptr<ByteSource>> source = open_source(path_);
    if (!source) {
      return std::move(source.error());
    }
    source.value()->set_line_limit({job_.read.longest_line, job_.read.words.longest_line});
    const std::uint64_t needed = needed_for(*source.value(), path_);
    unsigned partitions = partitions_for(needed, job_);
    if (scratch.peers != nullptr) {  // machines may differ in memory
      partitions = std::ranges::max(tell_all_in_a_row(*scratch.peers, std::vector{partitions}));
    }
    if (partitions == 0) {
      return can_be_reread(path_) ? Opened() : Opened{.source = std::move(source).value()};
    }
    Opened opened = {.source = std::move(source).value(), .not_split = why_not_as_lists(job_)};
    const bool may_be_keys = !opened.not_split.empty();
    Status status = may_be_keys ? Status() : split_lists(opened, needed, partitions);
    const bool is_first = scratch.peers == nullptr || scratch.peers->is_first();
    if (status && is_first && (may_be_keys || opened.not_split == kSeveralHistories)) {
      status = split_keys(opened, needed);
    }
    if (!status) {
      Error error = std::move(status.error());
      error.file = error.file.starts_with(path_) ? error.file : path_;
      return error;
    }
    return opened;
  }

  /// A piece is read by so many threads that what they hold beside it is no larger.
  [[nodiscard]] ScatterOptions scatter_options() const {
    ReadOptions read = job_.read;
    const std::uint64_t threads = piece_of(job_.limits) / kMemoryOfThread;
    read.threads = std::clamp<std::uint64_t>(threads, 1, read.threads);
    return {.read = std::move(read),
            .piece_bytes = piece_of(job_.limits),
            .scratch = job_.limits.scratch.folder,
            .progress = observer_.checking};
  }

  Status split_lists(Opened& opened, std::uint64_t needed, unsigned partitions) {
    Peers* const peers = job_.limits.scratch.peers;
    auto outcome = check_in_partitions(std::move(opened.source),
                                       {.scatter = scatter_options(),
                                        .partitions = partitions,
                                        .demand = demand_of(job_),
                                        .peers = peers,
                                        .check = [this](const LoadedHistory& part) {
                                          return check_as_asked(part, job_, observer_);
                                        }});
    if (!outcome) {
      return outcome.error();
    }
    if (auto* whole = std::get_if<NotSplit>(&outcome.value())) {
      opened = {.source = std::move(whole->source), .not_split = std::move(whole->because)};
      return {};
    }
    auto& split = std::get<SplitVerdict>(outcome.value());
    const bool may_know_more = peers != nullptr && needed <= job_.limits.memory.value_or(0) &&
                               split.verdict.validity == Validity::kUnknown;
    if (!may_know_more) {
      opened.split = std::move(split);
    }
    return {};
  }

  /// Checks the histories of independent keys, by this process alone.
  Status split_keys(Opened& opened, std::uint64_t needed) {
    if (Availability::demanded(job_, read_test_map(path_))) {
      opened.not_split = needs_whole("the share of operations that succeeded");
      return {};
    }
    CheckJob alone = job_;
    alone.limits.scratch.peers = nullptr;
    const unsigned partitions = partitions_for(needed, alone);
    if (partitions == 0) {
      return {};
    }
    const Result<std::string> why_not =
        visit_keys(*opened.source, scatter_options(), partitions, [this](KeyedHistory key) {
          const std::string name = key.loaded.key();
          tell(check_one(std::move(key.loaded), ""), {key.place, key.keys, name});
          return Status();
        });
    if (!why_not) {
      return why_not.error();
    }
    opened.is_visited = why_not.value().empty();
    if (why_not.value() != kNoKeys || opened.not_split.empty()) {
      opened.not_split = why_not.value();
    }
    return {};
  }

  static bool lacks_memory(const Error& error) {
    return error.kind == ErrorKind::kUnreadable &&
           error.message.find("memory") != std::string::npos;
  }

  Status check_in_memory(Opened opened) {
    const std::string words = opened.words_not_split();
    // A file is read again from the start, which reports what does not fit into memory.
    Result<std::vector<LoadedHistory>> loaded =
        opened.source && !can_be_reread(path_) ? read_histories(std::move(opened.source), read_)
                                               : read_histories(path_, read_);
    if (!loaded && lacks_memory(loaded.error()) && read_.threads > 1 && can_be_reread(path_)) {
      read_.threads = 1;  // takes less memory than several
      loaded = read_histories(path_, read_);
    }
    if (!loaded) {
      Error error = std::move(loaded.error());
      error.message += lacks_memory(error) ? words : "";
      return with_likely_workload(std::move(error));
    }
    reading_ = Clock::now() - start_;
    const Availability availability(job_, loaded.value());
    std::vector<Result<CheckedHistory>> all;
    std::vector<std::string> keys;
    for (LoadedHistory& history : loaded.value()) {
      keys.push_back(history.key());
      all.push_back(check_one(std::move(history), words));
      if (all.back()) {
        availability.judge(all.back().value().verdict);
      }
    }
    for (std::size_t place = 0; place < all.size(); ++place) {
      tell(std::move(all[place]), {place, all.size(), std::move(keys[place])});
    }
    return {};
  }

  /// The limit of memory does not apply to the use of an answer.
  void tell(Result<CheckedHistory> checked, HistoryPlace at) {
    const MemoryLimit none((MemoryLimit::Lifted()));
    visit_(std::move(checked), at);
  }

  /// Adds the workload that the operations look like, if the user named another one. The input is
  /// read again once, however many keys have errors.
  [[nodiscard]] Error with_likely_workload(Error error) {
    if (error.kind != ErrorKind::kMalformed || !read_.workload || !can_be_reread(path_)) {
      return error;
    }
    if (!likely_workload_) {
      likely_workload_ = words_on_likely_workload(path_, read_);
    }
    error.message += *likely_workload_;
    return error;
  }

  /// Refuses a history without operations of the workload that the user named, if they are those of
  /// another. One of several keys may have none.
  [[nodiscard]] Status refuse_nothing(const LoadedHistory& loaded) {
    const History& history = loaded.history();
    if (!read_.workload || read_.elle_compat || !loaded.key().empty() || history.op_count() > 0 ||
        history.txn_count() == 0) {
      return {};
    }
    const std::string expected =
        fmt::format("expected operations of {}, found none", read_.workload->name());
    Error error = with_likely_workload({.message = expected, .file = label_of(path_, loaded)});
    return error.message == expected ? Status() : Status(std::move(error));
  }

  Result<CheckedHistory> check_one(LoadedHistory history, const std::string& words_not_split) {
    const auto start = Clock::now();
    if (Status status = refuse_nothing(history); !status) {
      return status.error();
    }
    std::vector<std::string> warnings = apply(job_.levels, history.history());
    Result<Verdict> verdict = check_as_asked(history, job_, observer_);
    if (!verdict) {
      Error error = completed(std::move(verdict).error(), path_, history);
      if (error.line) {  // the line says enough
        error.byte_offset.reset();
        error.column.reset();
      }
      return with_likely_workload(std::move(error));
    }
    std::optional<std::string>& unknown = verdict.value().unknown_because;
    if (unknown && !job_.limits.words.empty() &&
        unknown->find(job_.limits.words) != std::string::npos) {
      *unknown += words_not_split;
    }
    std::ranges::move(warnings, std::back_inserter(verdict.value().warnings));
    return CheckedHistory{.loaded = std::move(history),
                          .verdict = std::move(verdict).value(),
                          .reading = reading_,
                          .checking = Clock::now() - start};
  }

  const std::string& path_;
  const CheckJob& job_;
  const Observer& observer_;
  const VisitHistory& visit_;
  ReadOptions read_;
  std::optional<std::string> likely_workload_ = {};  // words_on_likely_workload(), once asked
  Clock::time_point start_ = Clock::now();
  Clock::duration reading_ = {};
};

}  // namespace

Status check_each(const std::string& path, const CheckJob& job, const Observer& observer,
                  const VisitHistory& visit) {
  const MemoryLimit limit(job.limits.memory.value_or(MemoryLimit::kNone));
  return InputCheck(path, job, observer, visit).run();
}

Result<std::vector<CheckedHistory>> check_input(const std::string& path, const CheckJob& job,
                                                const Observer& observer) {
  std::map<std::size_t, Result<CheckedHistory>> by_place;
  ELAPID_RETURN_IF_ERROR(
      check_each(path, job, observer, [&](Result<CheckedHistory> history, HistoryPlace at) {
        by_place.insert_or_assign(at.place, std::move(history));
      }));
  std::vector<CheckedHistory> all;
  all.reserve(by_place.size());
  for (auto& [place, history] : by_place) {
    ELAPID_ASSIGN_OR_RETURN(CheckedHistory checked, std::move(history));
    all.push_back(std::move(checked));
  }
  return all;
}

bool can_be_reread(const std::string& path) {
  std::error_code ignored;
  return path != "-" && (std::filesystem::is_regular_file(path, ignored) ||
                         std::filesystem::is_directory(path, ignored));
}

Error completed(Error error, const std::string& path, LoadedHistory& loaded) {
  error.file = label_of(path, loaded);
  if (error.byte_offset && loaded.has_lines()) {
    const LineColumn place = loaded.line_column({.offset = *error.byte_offset});
    error.line = place.line;
    error.column = place.column;
  }
  return error;
}

std::string label_of(const std::string& path, const LoadedHistory& history) {
  return history.key().empty() ? path : path + " [key " + history.key() + "]";
}

/// The value in the history of an independent key: that of a tuple `[key value]`.
std::string own_value(const LoadedHistory& loaded, std::string value) {
  const auto pair = loaded.key().empty() ? std::nullopt : elements_of(value);
  return pair && pair->size() == 2 ? std::string(pair->back()) : std::move(value);
}

EventFieldsFn event_fields(LoadedHistory& loaded) {
  return [&loaded](TxnId txn, EventKind kind) -> EventFields {
    Result<EventDetails> details = loaded.details(loaded.history().event(txn, kind).position);
    if (!details) {
      return {};  // without its source, the history still has keys and values
    }
    return {.f = std::move(details.value().f),
            .value = own_value(loaded, std::move(details.value().value)),
            .index = details.value().index,
            .extras = std::move(details.value().extras)};
  };
}

}  // namespace elapid
