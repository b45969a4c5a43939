#include "adapter/cli/commands/compare/compare_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace elapid {
namespace {

constexpr LineJournal::Kind kKind = {.name = "elapid-compare/2",
                                     .words = "the record of a comparison"};

std::string row_of(const RecordedQuestion& question, const CheckerAnswer& answer) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("history").string(question.path);
  out.key("key").string(question.key);
  out.key("level").string(question.level);
  out.key("checker").string(question.participant->checker.name);
  write_answer(answer, out);
  out.key("excuses").string(answer.excuses);
  out.close();
  return std::move(out).take();
}

/// Reads seconds with six decimals as the microseconds that were written.
std::chrono::microseconds time_field(json::Value row, std::string_view key) {
  return std::chrono::round<std::chrono::microseconds>(
      std::chrono::duration<double>(number_field<double>(row, key)));
}

Result<CheckerAnswer> answer_of(json::Value row) {
  const std::optional<Outcome> outcome = find_outcome(text_field(row, "outcome"));
  if (!outcome) {
    return Error{.message = "expected valid, invalid, unknown, failed or -, found '" +
                            text_field(row, "outcome") + "'"};
  }
  return CheckerAnswer{.outcome = *outcome,
                       .reason = text_field(row, "reason"),
                       .cpu_time = time_field(row, "cpu-seconds"),
                       .wall_time = time_field(row, "wall-seconds"),
                       .peak_bytes = number_field<std::uint64_t>(row, "peak-bytes"),
                       .format = text_field(row, "format"),
                       .losses = text_field(row, "losses"),
                       .excuses = text_field(row, "excuses")};
}

}  // namespace

Result<CompareRecord> CompareRecord::open(const std::string& path, std::string settings,
                                          std::string program) {
  std::map<Key, Entry> entries;
  Result<LineJournal> journal = LineJournal::open(path, kKind, [&](const JournalEntry& line) {
    const json::Value row = line.row;
    Result<CheckerAnswer> answer = answer_of(row);
    if (!answer) {
      return Status(std::move(answer.error()));
    }
    entries.insert_or_assign(Key{text_field(row, "history"), text_field(row, "key"),
                                 text_field(row, "level"), text_field(row, "checker")},
                             Entry{line.settings, line.stamp, std::move(answer).value()});
    return Status();
  });
  ELAPID_RETURN_IF_ERROR(journal);
  return CompareRecord(std::move(journal).value(), std::move(settings), std::move(program),
                       std::move(entries));
}

std::optional<CheckerAnswer> CompareRecord::find(const RecordedQuestion& question) const {
  const auto found = entries_.find(
      Key{question.path, question.key, question.level, question.participant->checker.name});
  const bool is_fresh = found != entries_.end() &&
                        found->second.settings == settings_of(*question.participant) &&
                        found->second.stamp == question.stamp;
  return is_fresh ? std::optional(found->second.answer) : std::nullopt;
}

Status CompareRecord::note(const RecordedQuestion& question, const CheckerAnswer& answer) {
  return journal_.note(settings_of(*question.participant), question.stamp,
                       row_of(question, answer));
}

namespace {

/// The program with the stamps of its files: a class path has several, with colons between them.
std::string stamped(const std::string& program) {
  std::string text = program;
  for (std::size_t begin = 0; begin <= program.size();) {
    const std::size_t end = std::min(program.find(':', begin), program.size());
    text += " " + stamp_of(program.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

}  // namespace

std::string CompareRecord::settings_of(const Participant& participant) const {
  const std::string program = participant.program.empty() ? program_ : stamped(participant.program);
  return settings_ + " " + participant.checker.fingerprint + " " + program;
}

std::string in_seconds(std::chrono::microseconds time) {
  return fmt::format("{}.{:06}", time.count() / 1'000'000, time.count() % 1'000'000);
}

void write_answer(const CheckerAnswer& answer, DocumentWriter& out) {
  out.key("outcome").string(name(answer.outcome));
  out.key("reason").string(answer.reason);
  out.key("cpu-seconds").form(in_seconds(answer.cpu_time));
  out.key("wall-seconds").form(in_seconds(answer.wall_time));
  out.key("peak-bytes").integer(static_cast<std::int64_t>(answer.peak_bytes));
  out.key("format").string(answer.format);
  out.key("losses").string(answer.losses);
}

}  // namespace elapid
