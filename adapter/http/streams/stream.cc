#include "adapter/http/streams/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/ir/json_string.h"
#include "harness/process/program_run.h"

namespace elapid::http {
namespace {

constexpr std::chrono::seconds kGrace{10};  // from the request to end until the kill

/// Exit codes of watch that the same lines would cause again: options, input, memory.
bool is_final(int exit_code) {
  return exit_code == 64 || exit_code == 65 || exit_code == 70;
}

/// Whether the exit code is a verdict.
bool is_verdict(const ProcessEnd& end) {
  return end.exit_code && *end.exit_code >= 0 && *end.exit_code <= 2;
}

std::string reason_of(const ProcessEnd& end, std::string said) {
  if (!said.empty()) {
    return said;
  }
  return end.signal ? fmt::format("the check was ended by {}", signal_name(*end.signal))
                    : fmt::format("the check ended with {}", *end.exit_code);
}

/// The value of a field, as JSON, in a line of watch; empty if the field is missing.
std::string_view account_field(std::string_view line, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\":";
  const std::size_t at = line.find(quoted);
  if (at == std::string_view::npos) {
    return {};
  }
  line.remove_prefix(at + quoted.size());
  return line.substr(0, line.find_first_of(",}"));
}

/// The verdict in an account. Before the stream's end the absence of violations is no verdict.
std::string_view verdict_json(std::string_view account, bool has_ended) {
  const std::string_view valid = account_field(account, "valid?");
  if (valid == "false") {
    return "\"invalid\"";
  }
  if (!has_ended) {
    return "null";
  }
  return valid == "true" ? "\"valid\"" : "\"unknown\"";
}

std::string list_json(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    json += (json.size() > 1 ? "," : "") + json_quoted(text);
  }
  return json + "]";
}

}  // namespace

std::string Stream::json() {
  const std::scoped_lock lock(mutex_);
  const StreamRecord& record = folder_.record();
  const Result<std::string> account = folder_.events().last_account();
  const std::string_view facts = account ? std::string_view(account.value()) : "";
  const bool is_stalled = !stalled_.empty() && !is_over();
  const std::string& reason = is_stalled ? stalled_ : record.reason;
  return fmt::format(
      R"({{"id":{0},"name":{1},"state":"{2}","verdict":{3},"level":[{10}],"options":{4},"bytes":{5},)"
      R"("progress":{6},"reason":{7},"created":{8},"links":{{"self":"/v1/streams/{9}",)"
      R"("transactions":"/v1/streams/{9}/transactions","events":"/v1/streams/{9}/events",)"
      R"("end":"/v1/streams/{9}/end"}}}})",
      json_quoted(id_), json_quoted(record.name), is_stalled ? "stalled" : word_of(record.stage),
      verdict_json(facts, record.stage == StreamStage::kEnded), list_json(record.options),
      folder_.size(), facts.empty() ? "null" : facts, reason.empty() ? "null" : json_quoted(reason),
      json_quoted(record.created), id_, json_quoted(record.level));
}

StreamRecord Stream::record() {
  const std::scoped_lock lock(mutex_);
  return folder_.record();
}

std::optional<Problem> Stream::add(const StreamLines& lines) {
  const std::scoped_lock lock(mutex_);
  const StreamRecord& record = folder_.record();
  if (record.stage != StreamStage::kOpen || is_closed_) {
    return Problem{409, record.stage == StreamStage::kFailed
                            ? "The stream has failed: " + record.reason + "."
                            : std::string("The stream has ended, and takes nothing any more.")};
  }
  if (folder_.size() + lines.text.size() > settings_.most_bytes) {
    return Problem{413, fmt::format("A stream has at most {} bytes here; end this one, and begin "
                                    "another.",
                                    settings_.most_bytes)};
  }
  if (lines.count == 0) {
    return std::nullopt;
  }
  if (const Status added = folder_.append(lines); !added.ok()) {
    is_broken_ = true;
    return problem_of(added.error());
  }
  is_awake_ = true;
  last_news_ = Clock::now();
  return std::nullopt;
}

std::optional<Problem> Stream::end() {
  const std::scoped_lock lock(mutex_);
  StreamRecord record = folder_.record();
  if (record.stage != StreamStage::kOpen) {
    return std::nullopt;  // a second request is no error
  }
  record.stage = StreamStage::kEnding;
  const Status saved = folder_.save(std::move(record));
  return saved.ok() ? std::nullopt : std::optional(problem_of(saved.error()));
}

bool Stream::is_over() const {
  const StreamStage stage = folder_.record().stage;
  return stage == StreamStage::kEnded || stage == StreamStage::kFailed;
}

std::optional<std::string> Stream::events_behind(EventPlace& place) {
  bool is_last = false;
  {
    const std::scoped_lock lock(mutex_);
    is_last = is_closed_ || (is_over() && !process_);
  }
  // Reads without the lock, since the file only grows.
  Result<std::string> text = folder_.events().text_behind(place);
  if (!text || (text.value().empty() && is_last)) {
    return std::nullopt;
  }
  return std::move(text).value();
}

bool Stream::must_stop(Clock::time_point now) const {
  const StreamStage stage = folder_.record().stage;
  return is_broken_ || (stage == StreamStage::kEnding && !is_last_) ||
         (stage == StreamStage::kOpen && now - last_news_ > settings_.idle);
}

bool Stream::step(Clock::time_point now) {
  const std::scoped_lock lock(mutex_);
  if (is_closed_) {
    return false;
  }
  if (process_) {
    if (const auto end = process_->ended()) {
      bury(*end, now);
    } else if (is_broken_) {
      process_->kill();
    } else if (!asked_at_ && must_stop(now)) {
      asked_at_ = now;
      process_->ask_to_end();
    } else if (asked_at_ && now > *asked_at_ + kGrace) {
      process_->kill();
    }
  }
  const bool is_wanted = folder_.record().stage == StreamStage::kEnding ||
                         (folder_.record().stage == StreamStage::kOpen && is_awake_);
  if (!process_ && is_wanted && now >= next_try_) {
    start(now);
  }
  return is_wanted && (asked_at_ || is_last_ || !process_);
}

void Stream::start(Clock::time_point now) {
  is_last_ = folder_.record().stage == StreamStage::kEnding;
  is_broken_ = false;
  asked_at_.reset();
  Status status = folder_.events().drop_unfinished();
  if (status.ok()) {
    auto started = WatchProcess::start(folder_.watch_command(settings_.watch, is_last_),
                                       {.out = folder_.events_path(),
                                        .errors = folder_.errors_path(),
                                        .memory = settings_.memory});
    if (started) {
      process_.emplace(std::move(started).value());
      started_ = now;
      stalled_.clear();
      return;
    }
    status = started.error();
  }
  stall(status.error().message, now);
}

void Stream::bury(const ProcessEnd& end, Clock::time_point now) {
  constexpr std::chrono::minutes kLongEnough{1};
  const bool was_asked = asked_at_ || is_broken_;
  failures_ = now - started_ > kLongEnough ? 0 : failures_;
  process_.reset();
  asked_at_.reset();
  is_broken_ = false;
  if (is_last_ && is_verdict(end)) {
    change(StreamStage::kEnded, {}, now);
  } else if (end.exit_code && is_final(*end.exit_code)) {
    change(StreamStage::kFailed, reason_of(end, folder_.last_error()), now);
  } else if (was_asked) {
    failures_ = 0;
    // Lines that arrived after the request to end must still be judged.
    is_awake_ = now - last_news_ <= settings_.idle;
  } else {
    stall(reason_of(end, folder_.last_error()), now);
  }
  is_last_ = false;
}

/// Records the stage. If the disk refuses it, a later turn tries again.
void Stream::change(StreamStage stage, std::string reason, Clock::time_point now) {
  StreamRecord record = folder_.record();
  record.stage = stage;
  record.reason = std::move(reason);
  if (const Status saved = folder_.save(std::move(record)); !saved.ok()) {
    stall(saved.error().message, now);
  }
}

void Stream::stall(std::string reason, Clock::time_point now) {
  constexpr int kMostDoublings = 9;
  stalled_ = std::move(reason);
  next_try_ = now + std::chrono::seconds(1LL << std::min(failures_, kMostDoublings));
  ++failures_;
}

bool Stream::shut_down() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  if (process_ && process_->ended()) {
    process_.reset();
  } else if (process_ && !asked_at_) {
    asked_at_ = Clock::now();
    process_->ask_to_end();
  }
  return process_.has_value();
}

void Stream::close() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  process_.reset();
}

}  // namespace elapid::http
