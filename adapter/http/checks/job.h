// A requested check: the facts about it from its acceptance to its answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elapid::http {

enum class JobState : std::uint8_t {
  kQueued,
  kRunning,
  kDone,   ///< it has a verdict, or the input is malformed
  kFailed  ///< the check broke off: a bug, or the machine. A further request runs it again
};

/// The question: the same bytes with the same options are one job.
struct Question {
  std::string name = {};                  ///< the client's name of the history, for people
  std::string digest = {};                ///< SHA-256 of the bytes as sent, in hex
  std::uint64_t bytes = 0;                ///< their number
  std::vector<std::string> options = {};  ///< `--levels=serializable`: those that differ from the
                                          ///< defaults, in the order of the table

  /// The job's name in addresses: 32 hex digits, made from digest and options.
  [[nodiscard]] std::string id() const;
};

struct Outcome {
  std::string verdict = {};    ///< valid, invalid, unknown, or malformed: no history; empty: failed
  std::string levels = {};     ///< `,serializable:invalid,...,`: the answers at the asked levels
  std::string anomalies = {};  ///< `G0,lost-update`: the types found
  std::int64_t transactions = 0;
  std::string error = {};  ///< why it is malformed, or failed: one line
};

/// Times are milliseconds since 1970, or 0 if there is none yet.
struct Job {
  std::int64_t sequence = 0;  ///< in the order of acceptance
  std::string id = {};
  Question question = {};
  JobState state = JobState::kQueued;
  Outcome outcome = {};
  std::int64_t created = 0;
  std::int64_t started = 0;
  std::int64_t finished = 0;
  std::string folder = {};   ///< of its files: see job_files.h
  std::int64_t attempt = 0;  ///< the running attempt, or the one that answered
};

[[nodiscard]] std::string_view name(JobState state);

/// Whether the text can be the id of a job: 32 lower-case hex digits.
[[nodiscard]] bool is_job_id(std::string_view text);

/// `2026-11-26T20:15:44.123Z`
[[nodiscard]] std::string time_text(std::int64_t milliseconds);

/// A date or a time of RFC 3339 in UTC: `2026-11-26`, `2026-11-26T20:15:44Z`, with or without a
/// fraction. Nothing for other text.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace elapid::http
