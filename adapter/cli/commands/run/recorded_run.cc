#include "adapter/cli/commands/run/recorded_run.h"

#include <fmt/format.h>

#include "adapter/cli/commands/run/faults.h"
#include "adapter/cli/commands/run/run_record.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/elle/file_output.h"
#include "adapter/follow/follow.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "harness/drive/drivers.h"
#include "harness/generate/generate.h"
#include "parsers/formats.h"

namespace elapid {

namespace {

constexpr std::chrono::milliseconds kCheckEvery{200};
constexpr std::string_view kCertain = R"({"event":"violation")";

}  // namespace

OnlineCheck::OnlineCheck(const std::string& path, const CheckRequest& request)
    : thread_([this, path, job = request.job] {
        FollowOptions options = {.path = path, .read = job.read, .check = job.check};
        options.interval = kCheckEvery;
        // At the end of the run the whole history is checked, so this check is skipped.
        options.checker = [this](const LoadedHistory& loaded, const CheckOptions& check) {
          return is_ending_ ? Result<Verdict>(Verdict()) : check_loaded(loaded, check);
        };
        options.should_stop = [this] { return is_ending_.load() || has_found_.load(); };
        static_cast<void>(follow_history(options, [this](std::string_view event) {
          if (event.starts_with(kCertain)) {
            has_found_ = true;
          }
        }));
      }) {}

OnlineCheck::~OnlineCheck() {
  end();
  thread_.join();
}

Status RecordedRun::record() {
  // Files come first: their guards are forked, which needs a process with one thread.
  ELAPID_RETURN_IF_ERROR(make_scratch());
  ELAPID_ASSIGN_OR_RETURN(std::vector<RecordedFile> files, begin_files());
  ELAPID_RETURN_IF_ERROR(open());
  stopped_by_ = drive_database(std::move(files));
  database_.reset();
  server_.reset();
  return has_begun_ ? Status() : stopped_by_;
}

Result<std::vector<RecordedFile>> RecordedRun::begin_files() const {
  std::vector<std::string> paths = {history()};
  if (request_.timestamps) {
    paths.push_back(file("transactions.jsonl"));
  }
  std::vector<RecordedFile> files;
  for (const std::string& path : paths) {
    ELAPID_ASSIGN_OR_RETURN(GrowingFile opened, GrowingFile::create(path, scratch_->path()));
    files.push_back({std::move(opened), target_of_extension(path)->make_event_writer(
                                            {.workload = request_.workload->workload,
                                             .timestamps = request_.timestamps})});
  }
  return files;
}

Status RecordedRun::make_scratch() {
  ELAPID_ASSIGN_OR_RETURN(ScratchFolder scratch, ScratchFolder::create());
  scratch_ = std::make_unique<ScratchFolder>(std::move(scratch));
  return {};
}

Status RecordedRun::open() {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<RequestSource> source, make_requests(request_.recipe));
  feed_ = std::make_unique<RequestFeed>(
      std::move(source), request_.recipe.clients.seed, request_.limits,
      request_.isolation.is_one() ? std::vector<std::size_t>() : request_.isolation.shares);
  DatabaseRequest wanted = request_.database;
  wanted.scratch = scratch_->path();
  ELAPID_RETURN_IF_ERROR(start_server(wanted.uri));
  if (!request_.drive.loads) {
    wanted.initial = feed_->initial_writes();
  }
  ELAPID_ASSIGN_OR_RETURN(database_, open_database(*request_.driver, std::move(wanted)));
  facts_ = database_->facts();
  return write_file(file("test.edn"), test_map(request_, folder_.time(), facts_, {}));
}

/// Starts a server of this run's own, if the URI has only a scheme and the database is a server.
/// The server ends with the run.
Status RecordedRun::start_server(DatabaseUri& uri) {
  if (request_.own_server() == nullptr) {
    return {};
  }
  progress_.stage(folder_.path(), "starts a server");
  Result<std::optional<PrivateServer>> server = start_own_server(*request_.driver, uri);
  progress_.clear();
  ELAPID_RETURN_IF_ERROR(server);
  server_.emplace(std::move(*server.value()));
  if (!request_.faults.empty()) {
    nemesis_.emplace(
        faults_of(request_.faults, *server_),
        NemesisOptions{.interval = request_.fault_interval, .seed = request_.recipe.clients.seed});
  }
  return {};
}

/// Whether the run ends early. Shows the progress.
bool RecordedRun::should_stop(const OnlineCheck* online, const Recorder& recorder) {
  was_online_violation_ = online != nullptr && online->has_found_violation();
  const std::uint64_t transactions = recorder.events() / 2;
  const auto elapsed = Clock::now() - begun_;
  const auto in_seconds = [](auto duration) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(duration).count());
  };
  const bool is_timed = request_.drive.time && in_seconds(*request_.drive.time) > 0;
  const Portion portion = is_timed
                              ? Portion{in_seconds(elapsed), in_seconds(*request_.drive.time), "s"}
                              : Portion{transactions, request_.limits.transactions, "transactions"};
  const std::string what =
      is_timed ? fmt::format("{} transactions ", with_commas(transactions)) : "";
  const bool goes_on = progress_.stage(folder_.path(), what + progress_bar(portion, elapsed));
  return was_online_violation_ || !goes_on || interrupted();
}

Status RecordedRun::drive_database(std::vector<RecordedFile> files) {
  Recorder recorder(std::move(files), request_.drive.sessions + (nemesis_ ? 1 : 0));
  std::optional<OnlineCheck> online;
  if (request_.online) {
    online.emplace(history(), request_.check);
  }
  DriveOptions options = request_.drive;
  options.should_stop = [&] { return should_stop(online ? &*online : nullptr, recorder); };
  options.on_connected = [this] {
    has_begun_ = true;
    folder_.keep();
  };
  options.levels = request_.level_fields;
  options.nemesis = nemesis_ ? &*nemesis_ : nullptr;
  begun_ = Clock::now();
  Result<DriveCounts> counts = drive(*database_, *feed_, recorder, options);
  const Status recorded = recorder.finish();
  progress_.clear();
  if (counts) {
    counts_ = counts.value();
  }
  const Status noted =
      write_file(file("test.edn"), test_map(request_, folder_.time(), facts_, counts_));
  return !counts ? Status(counts.error()) : !recorded.ok() ? recorded : noted;
}

std::string RecordedRun::summary() const {
  std::string text = fmt::format("{}: {}\n", visible_line(folder_.path()),
                                 visible_line(run_text(request_, facts_)));
  text += counts_ ? counts_text(*counts_) : "";
  text += nemesis_ ? fmt::format("faults: {}\n", faults_text(*nemesis_)) : "";
  return text + (was_online_violation_ ? "ended at the first violation\n" : "");
}

}  // namespace elapid
