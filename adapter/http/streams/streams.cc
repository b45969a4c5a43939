#include "adapter/http/streams/streams.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <random>
#include <system_error>
#include <utility>

#include "adapter/watch/appended_file.h"
#include "harness/process/program_run.h"

namespace elapid::http {
namespace {

constexpr std::string_view kGone = ".gone-";  // prefix of folders that are being removed

/// Ids order streams by age: the microseconds since 1970, then a random part.
std::string new_id() {
  std::random_device random;
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return fmt::format("{:014x}{:08x}{:08x}", now.count(), random(), random());
}

std::string rfc3339_now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

void remove_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

Result<std::unique_ptr<Streams>> Streams::open(StreamSettings settings) {
  std::unique_ptr<Streams> streams(new Streams(std::move(settings)));
  ELAPID_RETURN_IF_ERROR(streams->load());
  streams->thread_ = Thread([raw = streams.get()](const std::stop_token& stop) { raw->run(stop); });
  return streams;
}

Streams::~Streams() = default;

Status Streams::load() {
  std::error_code error;
  std::filesystem::create_directories(settings_.folder, error);
  std::filesystem::directory_iterator entries(settings_.folder, error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be made or listed: " + error.message(),
                 .file = settings_.folder};
  }
  for (const auto& entry : entries) {
    std::string id = entry.path().filename().string();
    if (id.starts_with(kGone)) {
      remove_folder(entry.path());
    } else if (auto folder = StreamFolder::open(entry.path().string())) {
      auto stream = std::make_shared<Stream>(settings_, id, std::move(folder).value(), true);
      streams_.emplace(std::move(id), std::move(stream));
    }
  }
  return {};
}

Streams::Made Streams::create(std::string name, std::vector<std::string> options) {
  {
    const std::scoped_lock lock(mutex_);
    if (count_unended() + being_made_ >= settings_.most) {
      return Problem{
          503,
          fmt::format("As many streams as there may be ({}) have not ended; end or delete one.",
                      settings_.most)};
    }
    ++being_made_;
  }
  const std::string id = new_id();
  const std::string hidden = fmt::format("{}/{}{}", settings_.folder, kGone, id);
  const std::string path = settings_.folder + "/" + id;
  Made made = Problem{};
  auto folder = StreamFolder::create(
      hidden, {.name = std::move(name), .created = rfc3339_now(), .options = std::move(options)});
  std::optional<Problem> problem =
      folder ? try_options(folder.value()) : std::optional(problem_of(folder.error()));
  std::error_code error;
  if (!problem) {
    std::filesystem::rename(hidden, path, error);
    const Status kept =
        error ? Status(Error{.kind = ErrorKind::kUnreadable, .message = error.message()})
              : sync_directory(settings_.folder);
    folder = kept.ok() ? StreamFolder::open(path) : Result<StreamFolder>(kept.error());
    problem = folder ? std::nullopt : std::optional(problem_of(folder.error()));
  }
  const std::scoped_lock lock(mutex_);
  --being_made_;
  if (problem) {
    remove_folder(hidden);
    return *problem;
  }
  auto stream = std::make_shared<Stream>(settings_, id, std::move(folder).value(), false);
  streams_.emplace(id, stream);
  return stream;
}

/// Starts watch once on the empty stream, without changing its state, to check the options. The
/// summary names the demanded level.
std::optional<Problem> Streams::try_options(StreamFolder& folder) const {
  constexpr int kUsage = 64;
  const ProgramRun run =
      run_program(folder.watch_command(settings_.watch, true), folder.path(),
                  {.time = std::chrono::seconds(20), .memory = settings_.memory});
  constexpr std::string_view kLevel = R"("level":")";
  const std::size_t level = run.out.find(kLevel);
  if (run.exit_code && *run.exit_code <= 2 && level != std::string::npos) {
    StreamRecord record = folder.record();
    record.level = run.out.substr(level + kLevel.size());
    record.level.resize(std::min(record.level.find('"'), record.level.size()));
    const Status saved = folder.save(std::move(record));
    return saved.ok() ? std::nullopt : std::optional(problem_of(saved.error()));
  }
  if (run.exit_code == kUsage) {
    constexpr std::string_view kProgram = "elapid: ";
    std::string said = run.err.substr(run.err.starts_with(kProgram) ? kProgram.size() : 0);
    return Problem{400, said.substr(0, said.find('\n'))};
  }
  return Problem{500, "The check of the stream cannot be started."};
}

Streams::Made Streams::open_one_called(const std::string& name) {
  const std::scoped_lock naming(naming_);
  for (const std::shared_ptr<Stream>& stream : all()) {
    const StreamRecord record = stream->record();
    if (record.name == name && record.stage == StreamStage::kOpen) {
      return stream;
    }
  }
  return create(name, {});
}

std::shared_ptr<Stream> Streams::find(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Stream>> Streams::list(const std::string& after,
                                                   std::size_t most) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<Stream>> found;
  for (auto at = after.empty() ? streams_.begin() : streams_.upper_bound(after);
       at != streams_.end() && found.size() < most; ++at) {
    found.push_back(at->second);
  }
  return found;
}

bool Streams::remove(const std::string& id) {
  std::shared_ptr<Stream> stream;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = streams_.find(id);
    if (found == streams_.end()) {
      return false;
    }
    stream = found->second;
    streams_.erase(found);
  }
  stream->close();
  // Renames first: a server that is killed meanwhile does not restore half a stream.
  const std::string hidden = fmt::format("{}/{}{}", settings_.folder, kGone, id);
  std::error_code ignored;
  std::filesystem::rename(settings_.folder + "/" + id, hidden, ignored);
  remove_folder(hidden);
  return true;
}

std::vector<std::shared_ptr<Stream>> Streams::all() const {
  return list({}, std::numeric_limits<std::size_t>::max());
}

/// Requires the lock.
std::size_t Streams::count_unended() const {
  return static_cast<std::size_t>(std::ranges::count_if(streams_, [](const auto& entry) {
    const StreamStage stage = entry.second->record().stage;
    return stage == StreamStage::kOpen || stage == StreamStage::kEnding;
  }));
}

/// The last write of a stream's record is at its end, so the file's time is that of the end.
void Streams::remove_ended(const Retention& retention) {
  const auto now = std::filesystem::file_time_type::clock::now();
  std::size_t count = 0;
  for (const std::shared_ptr<Stream>& stream : all()) {
    const StreamStage stage = stream->record().stage;
    if (stage != StreamStage::kEnded && stage != StreamStage::kFailed) {
      continue;
    }
    std::error_code error;
    const auto ended = std::filesystem::last_write_time(
        settings_.folder + "/" + stream->id() + "/stream.json", error);
    const bool is_old = !error && retention.age && ended <= now - *retention.age;
    if (is_old || (retention.count && count >= *retention.count)) {
      (void)remove(stream->id());
    } else {
      ++count;
    }
  }
}

void Streams::wake() {
  {
    const std::scoped_lock lock(mutex_);
    has_news_ = true;
  }
  news_.notify_all();
}

/// Starts the processes of all streams and collects their ends. They die with this thread.
void Streams::run(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kSoon{20};
  constexpr std::chrono::milliseconds kLater{500};
  while (!stop.stop_requested()) {
    bool is_busy = false;
    for (const std::shared_ptr<Stream>& stream : all()) {
      is_busy = stream->step(Stream::Clock::now()) || is_busy;
    }
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, stop, is_busy ? kSoon : kLater, [&] { return has_news_; });
    has_news_ = false;
  }
  shut_down();
}

void Streams::shut_down() {
  constexpr std::chrono::seconds kPatience{10};
  constexpr std::chrono::milliseconds kNap{10};
  const auto end = Stream::Clock::now() + kPatience;
  const std::vector<std::shared_ptr<Stream>> streams = all();
  for (bool is_running = true; is_running && Stream::Clock::now() < end;) {
    is_running = false;
    for (const std::shared_ptr<Stream>& stream : streams) {
      is_running = stream->shut_down() || is_running;
    }
    if (is_running) {
      std::this_thread::sleep_for(kNap);
    }
  }
  for (const std::shared_ptr<Stream>& stream : streams) {
    stream->close();
  }
}

}  // namespace elapid::http
