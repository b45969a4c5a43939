#include "adapter/follow/follow.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "adapter/elle/verdict_view.h"
#include "adapter/follow/prefix_check.h"
#include "adapter/source/verdict_text.h"
#include "engine/ir/json_string.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/file_descriptor.h"
#include "parsers/bytes/spill_file.h"
#include "parsers/lines/line_source.h"

namespace elapid {

namespace {

// The beginning of an input that grows.

/// Reads bytes again, from an offset on.
using RereadBytes = std::function<Result<std::size_t>(std::uint64_t, std::span<char>)>;

/// The first `size` bytes of an input that may grow.
class PrefixSource : public ByteSource {
 public:
  PrefixSource(std::string name, RereadBytes reread, std::uint64_t size)
      : ByteSource(std::move(name)), reread_(std::move(reread)), size_(size) {}

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = reread(next_, into);
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    const std::uint64_t left = size_ - std::min(offset, size_);
    return reread_(offset, into.first(std::min<std::uint64_t>(into.size(), left)));
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return size_; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_; }

 private:
  RereadBytes reread_;
  std::uint64_t size_;
  std::uint64_t next_ = 0;
};

// The events of `elapid watch` on a growing history, as lines of JSON.

/// `{"event":"prefix",...}`: what was checked, and the standing of each level.
[[nodiscard]] std::string prefix_event(const PrefixReport& report);

/// `{"event":"summary",...}`: as prefix_event() of the last check, with the verdict and whether the
/// file was complete.
[[nodiscard]] std::string summary_event(const PrefixReport& report, Validity validity,
                                        bool is_whole);

/// `{"event":"violation",...}`, or "provisional": these levels are violated. `explanation` is the
/// text of check.
[[nodiscard]] std::string violation_event(std::string_view event, ModelSet levels,
                                          const PrefixReport& report,
                                          const std::string& explanation);

/// `{"event":"retracted",...}`: these levels are not violated after all.
[[nodiscard]] std::string retracted_event(PrefixSize size, ModelSet levels);

/// `{"event":"error",...}`
[[nodiscard]] std::string error_event(const Error& error);

template <class Names>
std::string array(const Names& names) {
  std::string out = "[";
  for (const std::string_view name : names) {
    out += (out.size() > 1 ? "," : "") + json_quoted(name);
  }
  return out + "]";
}

std::string begin(std::string_view event, PrefixSize size) {
  return fmt::format(R"({{"event":"{}","lines":{},"bytes":{})", event, size.lines, size.bytes);
}

Validity validity_of(const PrefixReport& report, Model level) {
  return report.valid.test(level)      ? Validity::kValid
         : report.violated.test(level) ? Validity::kInvalid
                                       : Validity::kUnknown;
}

/// The fields of what was checked, with the standing of each level.
std::string facts(const PrefixReport& report) {
  std::string levels;
  for (const std::string_view level : sorted_names(report.demanded)) {
    levels += (levels.empty() ? "" : ",") + json_quoted(level) + ":" +
              std::string(truth_json(validity_of(report, *find_model(level))));
  }
  std::string out = fmt::format(R"(,"transactions":{},"operations":{},"levels":{{{}}})",
                                report.transactions, report.operations, levels);
  if (report.histories > 1) {
    out += fmt::format(R"(,"keys":{},"keys-invalid":{},"keys-settled":{})", report.histories,
                       report.invalid, report.settled);
  }
  if (report.unknown_because) {
    out += R"(,"unknown-because":)" + json_quoted(*report.unknown_because);
  }
  return out + R"(,"anomalies":)" + array(report.anomalies);
}

std::string ruled_out(const PrefixReport& report) {
  return R"(,"not":)" + array(sorted_names(report.not_models)) + R"(,"also-not":)" +
         array(sorted_names(report.also_not_models));
}

std::string prefix_event(const PrefixReport& report) {
  return begin("prefix", report.size) + facts(report) + "}\n";
}

std::string summary_event(const PrefixReport& report, Validity validity, bool is_whole) {
  return begin("summary", report.size) + R"(,"valid?":)" + std::string(truth_json(validity)) +
         R"(,"whole":)" + (is_whole ? "true" : "false") + facts(report) + ruled_out(report) + "}\n";
}

std::string violation_event(std::string_view event, ModelSet levels, const PrefixReport& report,
                            const std::string& explanation) {
  return begin(event, report.size) + R"(,"levels":)" + array(sorted_names(levels)) +
         R"(,"anomalies":)" + array(report.anomalies) + ruled_out(report) + R"(,"explanation":)" +
         json_quoted(explanation) + "}\n";
}

std::string retracted_event(PrefixSize size, ModelSet levels) {
  return begin("retracted", size) + R"(,"levels":)" + array(sorted_names(levels)) + "}\n";
}

std::string error_event(const Error& error) {
  std::string out = R"({"event":"error")";
  if (error.line) {
    out += fmt::format(R"(,"line":{})", *error.line);
  }
  return out + R"(,"message":)" + json_quoted(error.to_string()) + "}\n";
}

using Clock = std::chrono::steady_clock;

class Follower {
 public:
  Follower(const FollowOptions& options, const std::function<void(std::string_view)>& write)
      : options_(options), write_(write) {
    last_.demanded = options.check.models;
  }

  FollowOutcome run() {
    Status status = open();
    while (status.ok() && !has_ended_) {
      status = take_lines();
      if (status.ok() && !has_ended_ && is_due()) {
        status = check();
      }
    }
    if (status.ok()) {
      status = check();
    }
    if (!status.ok()) {
      write_(error_event(status.error()));
      outcome_.error = std::move(status.error());
    }
    sum_up();
    return std::move(outcome_);
  }

 private:
  Status open();
  Status open_reread();
  Status take_lines();
  Status check();
  void note_break(const Error& error);
  void take(PrefixVerdict prefix);
  void tell_of(std::string_view event, ModelSet levels, PrefixVerdict& prefix);
  void sum_up();

  [[nodiscard]] bool should_stop() const { return options_.should_stop && options_.should_stop(); }

  /// Whether the input has ended, so that nothing is missing.
  [[nodiscard]] bool is_whole() const {
    return (options_.to_end || spill_) && has_ended_ && !is_stopped_ && !break_;
  }

  /// Whether the check goes on; checks ask this. The last check always goes on.
  [[nodiscard]] bool goes_on() const { return has_ended_ || !should_stop(); }

  [[nodiscard]] bool is_due() const { return !options_.to_end && Clock::now() >= due_; }

  [[nodiscard]] bool is_news() const;

  const FollowOptions& options_;
  const std::function<void(std::string_view)>& write_;
  std::unique_ptr<LineSource> lines_;
  RereadBytes reread_;                // reads the input's bytes again
  std::shared_ptr<SpillFile> spill_;  // what came through standard input
  PrefixSize size_;                   // of the lines that came, up to break_
  Clock::time_point due_ = Clock::now() + options_.interval;
  bool is_stopped_ = false;
  bool has_ended_ = false;
  std::optional<Error> break_;  // what follows it is not understood
  PrefixReport last_;           // the last check
  ModelSet violated_;           // already reported
  ModelSet provisional_;        // reported and not settled since
  bool is_doubted_ = false;     // likewise, of the workload's claim
  FollowOutcome outcome_;
};

/// Standard input is kept, to be read again.
Status Follower::open_reread() {
  if (options_.path == "-") {
    spill_ = std::make_shared<SpillFile>();
    reread_ = [spill = spill_](std::uint64_t offset, std::span<char> into) {
      return spill->read_at(offset, into);
    };
    return {};
  }
  auto file =
      std::make_shared<const FileDescriptor>(::open(options_.path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info = {};
  if (!file->is_open() || ::fstat(file->get(), &info) != 0) {
    return system_error(options_.path, "cannot be opened");
  }
  if (!S_ISREG(info.st_mode)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "is not a regular file, so it cannot be read repeatedly",
                 .file = options_.path};
  }
  reread_ = [file, name = options_.path](std::uint64_t offset, std::span<char> into) {
    return file->read_at(offset, into, name);
  };
  return {};
}

Status Follower::open() {
  ELAPID_RETURN_IF_ERROR(open_reread());
  ELAPID_ASSIGN_OR_RETURN(lines_, open_line_source(options_.path, options_.read.longest_line));
  if (options_.to_end) {
    lines_->finish();
  }
  return {};
}

/// Waits for more of the file.
Status Follower::take_lines() {
  constexpr std::chrono::milliseconds kPatience(100);
  if (!is_stopped_ && should_stop()) {
    is_stopped_ = true;
    lines_->finish();
  }
  ELAPID_ASSIGN_OR_RETURN(const Lines lines, lines_->next(kPatience));
  if (const std::string_view text = lines.text; !text.empty() && !break_) {
    ELAPID_RETURN_IF_ERROR(spill_ ? spill_->append(text) : Status());
    const auto newlines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    size_ = {.lines = lines.first_line - 1 + newlines + (text.back() == '\n' ? 0U : 1U),
             .bytes = lines.offset + text.size()};
  }
  has_ended_ = lines.has_ended;
  return {};
}

/// Whether there is something new to check. A complete file is always checked. A single line may be
/// a header and is no history.
bool Follower::is_news() const {
  return is_whole() || (size_.lines > 1 && size_.bytes > last_.size.bytes);
}

/// Checks the input up to a malformed line.
Status Follower::check() {
  const auto begin = Clock::now();
  while (is_news()) {
    const OpenPrefix open = [this] {
      return std::make_unique<PrefixSource>(options_.path, reread_, size_.bytes);
    };
    Result<PrefixVerdict> prefix =
        check_prefix(open, size_, options_, is_whole(), [this] { return goes_on(); });
    if (!goes_on()) {
      return {};  // the last check covers more
    }
    if (prefix) {
      take(std::move(prefix).value());
      break;
    }
    if (!has_ended_ && may_mend(open, options_.read)) {
      last_.size = size_;  // there is no news before it grows
      break;
    }
    const Error& error = prefix.error();
    if (error.kind != ErrorKind::kMalformed || !error.line || !error.byte_offset) {
      return error;
    }
    note_break(error);
  }
  const auto end = Clock::now();
  due_ = std::max(begin + options_.interval, end + (end - begin));
  return {};
}

void Follower::note_break(const Error& error) {
  write_(error_event(error));
  break_ = error;
  size_ = {.lines = *error.line - 1, .bytes = *error.byte_offset - (error.column.value_or(1) - 1)};
  if (options_.stop_on_error) {
    outcome_.error = error;
    has_ended_ = true;
  }
}

/// Reports what is new. A certain violation remains if a later check does not decide, unless the
/// history has since done what it was trusted not to do.
void Follower::take(PrefixVerdict prefix) {
  PrefixReport& report = prefix.report;
  const ModelSet kept = violated_ & report.trusted & ~report.valid;
  report.violated |= kept;
  report.provisional &= ~kept;
  const bool was_invalid = outcome_.validity == Validity::kInvalid;
  const bool stays = report.demanded.any() ? kept.any() : was_invalid && report.trusts_claim;
  outcome_.validity =
      stays && report.validity == Validity::kUnknown ? Validity::kInvalid : report.validity;
  write_(prefix_event(report));
  if (const ModelSet fresh = report.violated & ~violated_;
      fresh.any() || (!was_invalid && outcome_.validity == Validity::kInvalid)) {
    tell_of("violation", fresh, prefix);
  }
  if (const ModelSet fresh = report.provisional & ~provisional_;
      fresh.any() || (report.doubts_claim && !is_doubted_)) {
    tell_of("provisional", fresh, prefix);
  }
  const bool has_doubted = is_doubted_ || (was_invalid && report.demanded.none());
  const ModelSet told = provisional_ | violated_;
  // Of another workload, other levels are demanded.
  const ModelSet retracted = told & (report.valid | ~report.demanded);
  if (retracted.any() || (has_doubted && report.validity == Validity::kValid)) {
    write_(retracted_event(report.size, retracted));
  }
  is_doubted_ = (is_doubted_ || report.doubts_claim) && report.validity == Validity::kUnknown;
  violated_ = report.violated;
  provisional_ = (told | report.provisional) & ~retracted & ~report.violated;
  last_ = std::move(report);
}

/// Reports levels in check's words, by the first type of anomaly.
void Follower::tell_of(std::string_view event, ModelSet levels, PrefixVerdict& prefix) {
  Verdict first;
  const std::span<const Anomaly> anomalies = first_of_type(prefix.verdict.anomalies);
  first.anomalies.assign(anomalies.begin(), anomalies.end());
  std::ranges::copy_if(
      prefix.verdict.findings, std::back_inserter(first.findings),
      [&](const Description& d) { return d.name == prefix.verdict.findings.front().name; });
  write_(violation_event(event, levels, prefix.report, verdict_text(prefix.loaded, first, {})));
}

/// Input that was not understood makes a verdict unknown, except an invalid one.
void Follower::sum_up() {
  if ((break_ || outcome_.error) && outcome_.validity != Validity::kInvalid) {
    outcome_.validity = Validity::kUnknown;
  }
  write_(summary_event(last_, outcome_.validity, is_whole() && !outcome_.error));
}

}  // namespace

FollowOutcome follow_history(const FollowOptions& options,
                             const std::function<void(std::string_view)>& write) {
  return Follower(options, write).run();
}

}  // namespace elapid
