#include "harness/compare/verdict_reading.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <csignal>
#include <span>

namespace elapid {
namespace {

constexpr std::size_t kLongestQuote = 120;

/// Messages of programs whose memory ran out.
constexpr std::string_view kMemoryWords =
    "(?i)MemoryError|OutOfMemory|bad_alloc|out of memory|cannot allocate memory|"
    "memory allocation of \\d+ bytes failed|insufficient memory";

bool is_found(const re2::RE2& regex, std::string_view text) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

/// The output of a run: its streams and files.
class Said {
 public:
  Said(const ProgramRun& run, std::span<const std::string> files) {
    texts_ = {run.out, run.err};
    texts_.insert(texts_.end(), files.begin(), files.end());
  }

  [[nodiscard]] bool fits(const std::vector<OutputPattern>& patterns) const {
    return std::ranges::any_of(patterns,
                               [&](const OutputPattern& pattern) { return fits(*pattern.regex); });
  }

  [[nodiscard]] bool fits(const re2::RE2& regex) const {
    return std::ranges::any_of(texts_,
                               [&](std::string_view text) { return is_found(regex, text); });
  }

  /// `: "last words"`; nothing without output.
  [[nodiscard]] std::string last_words() const {
    for (const std::size_t place : {1U, 0U}) {
      if (const std::string line = last_line(texts_[place]); !line.empty()) {
        return ": \"" + line + "\"";
      }
    }
    return "";
  }

 private:
  std::vector<std::string_view> texts_;
};

CheckerAnswer failure(std::string reason) {
  return {.outcome = Outcome::kFailed, .reason = std::move(reason)};
}

std::string mebibytes(std::uint64_t bytes) {
  return fmt::format("{} MiB", bytes / (1024 * 1024));
}

/// The reason why a program did not end normally.
CheckerAnswer broken(const std::string& how, const Said& said, const RunLimits& limits) {
  static const re2::RE2 memory{std::string(kMemoryWords)};
  if (said.fits(memory)) {
    const std::string limit =
        limits.memory ? " (the limit was " + mebibytes(*limits.memory) + ")" : "";
    return failure("ran out of memory" + limit + said.last_words());
  }
  return failure(how + said.last_words());
}

CheckerAnswer by_output(const VerdictRules& rules, const ProgramRun& run, const Said& said) {
  if (said.fits(rules.invalid)) {
    return {.outcome = Outcome::kInvalid};
  }
  if (said.fits(rules.unknown)) {
    return {.outcome = Outcome::kUnknown, .reason = "it says so"};
  }
  if (said.fits(rules.valid)) {
    return {.outcome = Outcome::kValid};
  }
  const std::string words = said.last_words();
  const std::string_view cut = run.is_cut ? " (the middle of its output was dropped)" : "";
  return failure(words.empty() ? "said nothing" : fmt::format("said no verdict{}{}", cut, words));
}

CheckerAnswer by_exit(const VerdictRules& rules, const ProgramRun& run, const Said& said,
                      const RunLimits& limits) {
  const auto meaning = rules.exits.find(run.exit_code.value_or(-1));
  if (meaning == rules.exits.end()) {
    return broken(fmt::format("ended with code {}", run.exit_code.value_or(-1)), said, limits);
  }
  switch (meaning->second) {
    case ExitMeaning::kValid:
      return {.outcome = Outcome::kValid};
    case ExitMeaning::kInvalid:
      return {.outcome = Outcome::kInvalid};
    case ExitMeaning::kUnknown:
      return {.outcome = Outcome::kUnknown, .reason = "it says so"};
    case ExitMeaning::kByOutput:
      break;
  }
  return by_output(rules, run, said);
}

CheckerAnswer outcome_of(const VerdictRules& rules, const ProgramRun& run, const Said& said,
                         const RunLimits& limits) {
  if (!run.start_error.empty()) {
    return failure("could not be started: " + run.start_error);
  }
  if (run.is_cancelled) {
    return failure("was interrupted");
  }
  if (run.is_out_of_time) {
    return failure(
        fmt::format("took longer than {} s", std::chrono::duration<double>(*limits.time).count()));
  }
  if (run.signal) {
    return broken("was ended by " + signal_name(*run.signal), said, limits);
  }
  return by_exit(rules, run, said, limits);
}

}  // namespace

CheckerAnswer read_verdict(const VerdictRules& rules, const ProgramRun& run,
                           const std::vector<std::string>& files, const RunLimits& limits) {
  CheckerAnswer answer = outcome_of(rules, run, Said(run, files), limits);
  answer.cpu_time = run.cpu_time;
  answer.wall_time = run.wall_time;
  answer.peak_bytes = run.peak_bytes;
  return answer;
}

std::string last_line(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) {
    return "";
  }
  text = text.substr(0, last + 1);
  std::string line(text.substr(text.rfind('\n') + 1));
  if (line.size() > kLongestQuote) {
    line = line.substr(0, kLongestQuote) + "...";
  }
  std::ranges::replace_if(
      line, [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

}  // namespace elapid
