// elapid run: drive a real database, record what its clients see, and check it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/check_report.h"
#include "adapter/cli/command.h"
#include "adapter/cli/interrupt.h"
#include "adapter/cli/progress.h"
#include "adapter/cli/reports.h"
#include "adapter/cli/run/driver_list.h"
#include "adapter/cli/run/faults.h"
#include "adapter/cli/run/online_check.h"
#include "adapter/cli/run/run_folder.h"
#include "adapter/cli/run/run_record.h"
#include "adapter/cli/run/run_request.h"
#include "adapter/cli/terminal.h"
#include "adapter/door/contention.h"
#include "adapter/door/dependencies.h"
#include "adapter/elle/document_writer.h"
#include "adapter/elle/file_output.h"
#include "harness/drive/drivers.h"
#include "harness/drive/recorder.h"
#include "harness/generate/generate.h"
#include "harness/process/scratch_folder.h"
#include "harness/servers/private_server.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

/// A run in which too little happened, in these words, shows nothing by being valid.
void doubt(const std::string& vacuity, Verdict& verdict) {
  if (!vacuity.empty() && verdict.validity == Validity::kValid) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because = "too little was tested: " + vacuity;
  }
}

/// One run, from the folder that is made for it to the verdict on what was recorded there.
class Run {
 public:
  Run(RunRequest request, RunFolder folder)
      : request_(std::move(request)), folder_(std::move(folder)) {}

  ExitCode operator()() {
    catch_interrupt();
    catch_termination();
    // The files first: their guards are forked, which a program with threads should not.
    if (const Status made = make_scratch(); !made.ok()) {
      return print_error(made.error());
    }
    Result<std::vector<RecordedFile>> files = begin_files();
    if (!files) {
      return print_error(files.error());
    }
    if (const Status opened = open(); !opened.ok()) {
      return print_error(opened.error());
    }
    folder_.keep();
    const Status driven = drive_database(std::move(files).value());
    database_.reset();
    server_.reset();
    print_summary();
    const ExitCode stopped = driven.ok() ? ExitCode::kOk : print_error(driven.error());
    const ExitCode verdict = check();
    return interrupted() ? ExitCode::kInterrupted : combine(stopped, verdict);
  }

 private:
  [[nodiscard]] std::string file(std::string_view name) const {
    return folder_.path() + '/' + std::string(name);
  }

  [[nodiscard]] std::string history() const { return file("history.edn"); }

  Status make_scratch();
  Result<std::vector<RecordedFile>> begin_files() const;
  Status open();
  Status start_server(DatabaseUri& uri);
  Status drive_database(std::vector<RecordedFile> files);
  bool should_stop(const OnlineCheck* online, const Recorder& recorder);
  void print_summary() const;
  ExitCode check();
  Report report_on(std::vector<CheckedHistory>& checked);
  Report not_checked(const std::string& why) const;

  RunRequest request_;
  RunFolder folder_;
  std::unique_ptr<ScratchFolder> scratch_ = {};
  std::optional<FaultInjector> nemesis_ = {};  // its thread has started the server, and outlives it
  std::optional<PrivateServer> server_ = {};
  std::unique_ptr<RequestFeed> feed_ = {};
  std::unique_ptr<Database> database_ = {};
  std::vector<DatabaseFact> facts_ = {};
  std::optional<DriveCounts> counts_ = {};
  bool was_online_violation_ = false;
  Progress progress_ = Progress(request_.check.detail == Detail::kQuiet);
  Clock::time_point begun_ = Clock::now();
};

Result<std::vector<RecordedFile>> Run::begin_files() const {
  std::vector<std::string> paths = {history()};
  if (request_.timestamps) {
    paths.push_back(file("transactions.jsonl"));
  }
  std::vector<RecordedFile> files;
  for (const std::string& path : paths) {
    Result<GrowingFile> opened = GrowingFile::create(path, scratch_->path());
    if (!opened) {
      return std::move(opened.error());
    }
    files.push_back({std::move(opened).value(), target_of_extension(path)->make_event_writer(
                                                    {.workload = request_.workload->workload,
                                                     .timestamps = request_.timestamps})});
  }
  return files;
}

Status Run::make_scratch() {
  Result<ScratchFolder> scratch = ScratchFolder::create();
  if (!scratch) {
    return std::move(scratch.error());
  }
  scratch_ = std::make_unique<ScratchFolder>(std::move(scratch).value());
  return {};
}

Status Run::open() {
  Result<std::unique_ptr<RequestSource>> source = make_requests(request_.recipe);
  if (!source) {
    return std::move(source.error());
  }
  feed_ = std::make_unique<RequestFeed>(std::move(source).value(), request_.recipe.clients.seed,
                                        request_.limits);
  DatabaseRequest wanted = request_.database;
  wanted.scratch = scratch_->path();
  if (Status started = start_server(wanted.uri); !started.ok()) {
    return started;
  }
  if (!request_.drive.loads) {
    wanted.initial = feed_->initial_writes();
  }
  Result<std::unique_ptr<Database>> database = open_database(*request_.driver, std::move(wanted));
  if (!database) {
    return std::move(database.error());
  }
  database_ = std::move(database).value();
  facts_ = database_->facts();
  return write_file(file("test.edn"), test_map(request_, folder_.time(), facts_, {}));
}

/// Where nothing stands behind the scheme, and the database is a server: one of this run's own,
/// which ends with it.
Status Run::start_server(DatabaseUri& uri) {
  const ServerKind* const kind = request_.own_server();
  if (kind == nullptr) {
    return {};
  }
  progress_.stage(folder_.path(), "starts a server");
  Result<PrivateServer> server = PrivateServer::start(*kind, {.is_cancelled = interrupted});
  progress_.clear();
  if (!server) {
    return std::move(server.error());
  }
  server_.emplace(std::move(server).value());
  if (!request_.faults.empty()) {
    nemesis_.emplace(
        faults_of(request_.faults, *server_),
        NemesisOptions{.interval = request_.fault_interval, .seed = request_.recipe.clients.seed});
  }
  Result<DatabaseUri> its = parse_database_uri(server_->uri());
  if (!its) {
    return std::move(its.error());
  }
  std::ranges::move(uri.parameters, std::back_inserter(its.value().parameters));
  uri = std::move(its).value();
  return {};
}

/// Whether the run is to end early; shows how far it is.
bool Run::should_stop(const OnlineCheck* online, const Recorder& recorder) {
  was_online_violation_ = online != nullptr && online->has_found_violation();
  const std::uint64_t transactions = recorder.events() / 2;
  const auto elapsed = Clock::now() - begun_;
  const auto in_ms = [](auto duration) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
  };
  const Portion portion = request_.drive.time ? Portion{in_ms(elapsed), in_ms(*request_.drive.time)}
                                              : Portion{transactions, request_.limits.transactions};
  const std::string what = request_.drive.time
                               ? fmt::format("{} transactions, ms ", with_commas(transactions))
                               : "transactions ";
  const bool goes_on = progress_.stage(folder_.path(), what + progress_bar(portion, elapsed));
  return was_online_violation_ || !goes_on || interrupted();
}

Status Run::drive_database(std::vector<RecordedFile> files) {
  Recorder recorder(std::move(files), request_.drive.sessions + (nemesis_ ? 1 : 0));
  std::optional<OnlineCheck> online;
  if (request_.online) {
    online.emplace(history(), request_.check);
  }
  DriveOptions options = request_.drive;
  options.should_stop = [&] { return should_stop(online ? &*online : nullptr, recorder); };
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

void Run::print_summary() const {
  if (request_.check.detail == Detail::kQuiet) {
    return;
  }
  std::string text = fmt::format("{}: {}\n", printable_line(folder_.path()),
                                 printable_line(run_text(request_, facts_)));
  text += counts_ ? counts_text(*counts_) : "";
  text += nemesis_ ? fmt::format("faults: {}\n", faults_text(*nemesis_)) : "";
  text += was_online_violation_ ? "ended at the first violation\n" : "";
  print_notes(text);
}

/// Of a workload that only Jepsen's own checkers judge.
Report Run::not_checked(const std::string& why) const {
  DocumentWriter out(Syntax::kEdn);
  out.open(Container::kMap, 1);
  out.key("valid?").keyword("unknown");
  out.key("error").string(why);
  out.close();
  Report report = {.out = fmt::format("{}\tunknown\n", printable_line(history())),
                   .err = fmt::format("{}: not checked: {}\n", printable_line(history()), why),
                   .code = ExitCode::kUnknown};
  if (const Status written = write_file(file("results.edn"), std::move(out).take() + "\n");
      !written.ok()) {
    append(report, error_report(written.error()));
  }
  return report;
}

Report Run::report_on(std::vector<CheckedHistory>& checked) {
  CheckRequest request = request_.check;
  CheckedHistory& history_checked = checked.front();
  const Contention found = contention(history_checked.loaded.history());
  ReportSubject subject = {
      .path = history(),
      .vacuity = request.least_contention ? why_vacuous(found, *request.least_contention) : ""};
  if (request_.requires_coverage) {
    doubt(std::exchange(subject.vacuity, ""), history_checked.verdict);
  }
  if (!request.directory && history_checked.verdict.validity == Validity::kInvalid) {
    request.directory = file("elle");
  }
  Report report = check_report(request, subject, history_checked, progress_);
  if (request.detail != Detail::kQuiet) {
    report.err += fmt::format(
        "{}: {}; {}; {}\n", printable_line(history()), contention_text(found),
        dependencies_text(count_dependencies(history_checked.loaded.history())), fates_text(found));
  }
  CheckRequest as_map = request_.check;
  as_map.output = OutputFormat::kEdn;
  as_map.detail = Detail::kQuiet;
  as_map.directory.reset();
  const Report map = check_report(as_map, subject, history_checked, progress_);
  if (const Status written = write_file(file("results.edn"), map.out); !written.ok()) {
    append(report, error_report(written.error()));
  }
  return report;
}

ExitCode Run::check() {
  if (request_.workload->workload == Workload::kOther && request_.workload->name != "set") {
    const Report report =
        not_checked(fmt::format("{} is for a checker of Jepsen", request_.workload->name));
    print_text(report.out);
    print_notes(report.err);
    return report.code;
  }
  Result<std::vector<CheckedHistory>> checked =
      check_input(history(), request_.check.job, observer(history(), progress_));
  progress_.clear();
  if (!checked) {
    return print_error(checked.error());
  }
  const Report report = report_on(checked.value());
  progress_.clear();
  print_text(report.out);
  print_notes(report.err);
  return report.code;
}

ExitCode run(const RunFlags& flags) {
  if (flags.lists) {
    print_text(driver_list());
    return ExitCode::kOk;
  }
  Result<RunRequest> request = run_request(flags);
  if (!request) {
    return print_error(request.error());
  }
  Result<RunFolder> folder = RunFolder::create(request.value().store, request.value().name,
                                               std::chrono::system_clock::now());
  return folder ? Run(std::move(request).value(), std::move(folder).value())()
                : print_error(folder.error());
}

}  // namespace

Command run_command() {
  const auto flags = std::make_shared<RunFlags>();
  Command command = {.name = "run",
                     .about = "Drive a real database, record what its clients see, and check it",
                     .run = [flags] { return run(*flags); }};
  add_run_flags(command.options, *flags);
  return command;
}

}  // namespace elapid
