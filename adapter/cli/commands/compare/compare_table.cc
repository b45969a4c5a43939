#include "adapter/cli/commands/compare/compare_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "adapter/cli/commands/compare/compare_record.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/csv.h"
#include "adapter/cli/terminal/aligned.h"
#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/levels/validity.h"

namespace elapid {
namespace {

constexpr std::size_t kLeastWidth = 7;  // of a column: `invalid`
constexpr std::uint64_t kMebibyte = 1024 * 1024;

/// The median, of two middle values the lower one; 0 of no values.
template <class Number>
Number median(std::vector<Number> values) {
  if (values.empty()) {
    return Number{};
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

template <class Number>
Number greatest(const std::vector<Number>& values) {
  return values.empty() ? Number{} : *std::ranges::max_element(values);
}

std::chrono::microseconds sum(const std::vector<std::chrono::microseconds>& values) {
  return std::accumulate(values.begin(), values.end(), std::chrono::microseconds{});
}

std::string seconds_text(std::chrono::microseconds time) {
  return fmt::format("{:.3f}", std::chrono::duration<double>(time).count());
}

/// `12.3`, or `-` where it is not known.
std::string in_mebibytes(std::uint64_t bytes) {
  return bytes == 0 ? "-" : fmt::format("{:.1f}", static_cast<double>(bytes) / kMebibyte);
}

const CheckerAnswer& answer_to(const ComparedHistory& history, Model question,
                               std::size_t checker) {
  return std::ranges::find_if(history.statements,
                              [&](const Statement& statement) {
                                return statement.question == question &&
                                       statement.checker == checker;
                              })
      ->answer;
}

/// The answers of all checkers to one question about a history.
struct Row {
  std::string level;
  std::vector<const CheckerAnswer*> answers = {};
};

/// A row a question. The row of levels by transaction comes last.
std::vector<Row> rows_of(const CompareRequest& request, const ComparedHistory& history) {
  std::vector<Row> rows;
  for (const NamedModel& question : history.questions) {
    Row& row = rows.emplace_back(question.name);
    for (std::size_t i = 0; i < request.participants.size(); ++i) {
      row.answers.push_back(&answer_to(history, question.model, i));
    }
  }
  if (!history.by_transaction.empty()) {
    Row& row = rows.emplace_back(std::string(kByTransaction));
    for (const CheckerAnswer& answer : history.by_transaction) {
      row.answers.push_back(&answer);
    }
  }
  return rows;
}

/// The names of the checkers that said it.
template <class Sides, class Name>
void write_names(std::string_view key, const Sides& sides, Name name, DocumentWriter& out) {
  out.key(key).each(sides, [&](const auto& side) { out.string(name(side)); });
}

}  // namespace

CompareForm compare_form(std::string_view name) {
  return name == "json"    ? CompareForm::kJson
         : name == "jsonl" ? CompareForm::kJsonl
         : name == "csv"   ? CompareForm::kCsv
                           : CompareForm::kText;
}

CompareTable::CompareTable(CompareForm form, const CompareRequest& request,
                           const std::vector<std::string>& paths)
    : form_(form), request_(request) {
  for (const std::string& path : paths) {
    path_width_ = std::max(path_width_, visible_line(path).size());
  }
  for (const NamedModel& question : request.questions) {
    level_width_ = std::max(level_width_, question.name.size());
  }
  if (request.settings.asks_claims) {  // each history has its own levels
    level_width_ = kDefaultModel.size();
  }
  level_width_ =
      std::max(level_width_, request.by_transaction ? kByTransaction.size() : std::size_t{0});
  for (const Participant& participant : request.participants) {
    checker_widths_.push_back(std::max(kLeastWidth, participant.checker.name.size()));
  }
}

std::string CompareTable::next(const ComparedHistory& history) {
  for (const Ruling& ruling : history.rulings) {
    found_.push_back({history.label, history.questions, ruling});
  }
  if (history.statements.empty()) {
    return "";
  }
  const std::string before = rows_ == 0 ? header() : "";
  if (form_ == CompareForm::kText || form_ == CompareForm::kCsv) {
    ++rows_;
    return before + (form_ == CompareForm::kText ? text_rows(history) : csv_rows(history));
  }
  std::string out;
  for (const Row& answers : rows_of(request_, history)) {
    DocumentWriter row(Syntax::kJson);
    write_row(history, answers.level, answers.answers, row);
    out += separator() + std::move(row).take() + (form_ == CompareForm::kJsonl ? "\n" : "");
  }
  return out;
}

std::string CompareTable::next_unreadable(const std::string& path, const std::string& problem) {
  if (form_ != CompareForm::kText) {
    return "";
  }
  const std::string before = rows_++ == 0 ? header() : "";
  return before + fmt::format("{:<{}}  not compared: {}\n", visible_line(path), path_width_,
                              visible_line(problem));
}

std::string CompareTable::end(const Agreement& agreement) {
  switch (form_) {
    case CompareForm::kJson:
      return (rows_ == 0 ? "{\"rows\": [" : "") + std::string("],\n") + json_end(agreement) + "}\n";
    case CompareForm::kJsonl:
      return jsonl_end(agreement);
    case CompareForm::kCsv:
      return rows_ == 0 ? header() : "";
    case CompareForm::kText:
      break;
  }
  return "\n" + matrix_text(agreement) + "\n" + costs_text(agreement) + failures_text(agreement) +
         "\n" + found_text();
}

/// The text before a row of JSON.
std::string CompareTable::separator() {
  const bool is_first = rows_++ == 0;
  return form_ == CompareForm::kJsonl ? "" : is_first ? "{\"rows\": [\n " : ",\n ";
}

std::string CompareTable::header() const {
  if (form_ == CompareForm::kCsv) {
    return "history,level,checker,outcome,reason,cpu-seconds,wall-seconds,peak-bytes,format,"
           "losses\n";
  }
  std::string out = fmt::format("{:<{}}  {:<{}}", "history", path_width_, "level", level_width_);
  for (std::size_t i = 0; i < checker_widths_.size(); ++i) {
    out += fmt::format("  {:<{}}", name(i), checker_widths_[i]);
  }
  return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
}

std::string CompareTable::text_rows(const ComparedHistory& history) const {
  std::string rows;
  for (const auto& [level, answers] : rows_of(request_, history)) {
    std::string row = fmt::format("{:<{}}  {:<{}}", visible_line(history.label), path_width_, level,
                                  level_width_);
    for (std::size_t i = 0; i < checker_widths_.size(); ++i) {
      row += fmt::format("  {:<{}}", elapid::name(answers[i]->outcome), checker_widths_[i]);
    }
    rows += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return rows;
}

std::string CompareTable::csv_rows(const ComparedHistory& history) const {
  std::string rows;
  for (const auto& [level, answers] : rows_of(request_, history)) {
    for (std::size_t i = 0; i < request_.participants.size(); ++i) {
      const CheckerAnswer& answer = *answers[i];
      rows +=
          fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_field(history.label), csv_field(level),
                      csv_field(name(i)), elapid::name(answer.outcome), csv_field(answer.reason),
                      in_seconds(answer.cpu_time), in_seconds(answer.wall_time), answer.peak_bytes,
                      answer.format, answer.losses);
    }
  }
  return rows;
}

void CompareTable::write_row(const ComparedHistory& history, const std::string& level,
                             std::span<const CheckerAnswer* const> answers,
                             DocumentWriter& out) const {
  out.open(Container::kMap);
  if (form_ == CompareForm::kJsonl) {
    out.key("kind").string("answers");
  }
  out.key("history").string(history.label);
  out.key("format").string(history.format);
  out.key("transactions").integer(history.transactions);
  out.key("level").string(level);
  out.key("answers").open(Container::kVector);
  for (std::size_t i = 0; i < request_.participants.size(); ++i) {
    out.open(Container::kMap);
    out.key("checker").string(name(i));
    write_answer(*answers[i], out);
    out.close();
  }
  out.close();
  out.close();
}

std::string CompareTable::matrix_text(const Agreement& agreement) const {
  std::vector<std::vector<std::string>> rows = {{"agreed"}};
  for (std::size_t a = 0; a < request_.participants.size(); ++a) {
    rows.front().push_back(name(a));
    std::vector<std::string> row = {name(a)};
    for (std::size_t b = 0; b < request_.participants.size(); ++b) {
      const PairCount& pair = agreement.pair(a, b);
      row.push_back(a == b || pair.compared == 0 ? "-"
                                                 : fmt::format("{} of {}", with_commas(pair.agreed),
                                                               with_commas(pair.compared)));
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

std::string CompareTable::costs_text(const Agreement& agreement) const {
  std::vector<std::vector<std::string>> rows = {{"checker", "valid", "invalid", "unknown", "failed",
                                                 "not asked", "CPU s: median", "sum", "worst",
                                                 "MiB: median", "worst"}};
  for (std::size_t i = 0; i < request_.participants.size(); ++i) {
    const CheckerCount& counts = agreement.checker(i);
    rows.push_back({name(i), with_commas(counts.valid), with_commas(counts.invalid),
                    with_commas(counts.unknown), with_commas(counts.failed),
                    with_commas(counts.not_asked), seconds_text(median(counts.cpu_times)),
                    seconds_text(sum(counts.cpu_times)), seconds_text(greatest(counts.cpu_times)),
                    in_mebibytes(median(counts.peak_bytes)),
                    in_mebibytes(greatest(counts.peak_bytes))});
  }
  return aligned(rows);
}

std::string CompareTable::failures_text(const Agreement& agreement) const {
  std::string out;
  for (std::size_t i = 0; i < request_.participants.size(); ++i) {
    for (const std::string& failure : agreement.checker(i).failures) {
      out += fmt::format("{} failed: {}\n", name(i), visible_line(failure));
    }
  }
  return out;
}

std::string CompareTable::found_text() const {
  if (found_.empty()) {
    return "no disagreements\n";
  }
  std::string out =
      fmt::format("{} disagreement{}\n", with_commas(found_.size()), found_.size() == 1 ? "" : "s");
  for (const Found& found : found_) {
    out += found_text(found);
  }
  return out;
}

std::string CompareTable::found_text(const Found& found) const {
  const Ruling& ruling = found.ruling;
  std::string out = fmt::format(
      "\n{} at {}\n  valid     {}\n  invalid   {}\n", visible_line(found.label),
      name_of(found.questions, ruling.disagreement.question),
      sides_text(ruling.disagreement.valid, found), sides_text(ruling.disagreement.invalid, found));
  out += fmt::format("  Elapid    {}: {}\n", validity_word(ruling.elapid),
                     visible_line(ruling.because));
  if (ruling.is_verified || !ruling.certificate.empty()) {
    out += fmt::format("  proof     {}{}\n", ruling.is_verified ? "verified" : "not verified",
                       ruling.certificate.empty() ? "" : ", " + ruling.certificate);
  }
  for (const std::size_t refuted : ruling.refuted) {
    out += fmt::format("  refuted   {}\n", name(refuted));
    for (const auto& [checker, about] : ruling.known) {
      if (checker == refuted) {
        out += fmt::format("    known   {}\n", about);
      }
    }
  }
  if (!ruling.excuses.empty()) {
    out += fmt::format("  excuse    its input had lost {}\n", ruling.excuses);
  }
  const MinimalHistory& minimal = ruling.minimal;
  if (!minimal.file.empty()) {
    out += fmt::format("  minimal   {}: {} transactions, {} operations{}{}\n", minimal.file,
                       minimal.transactions, minimal.operations,
                       minimal.is_one_minimal ? "" : ", perhaps not the smallest",
                       minimal.because.empty() ? "" : "; " + visible_line(minimal.because));
  }
  return out;
}

std::string CompareTable::sides_text(const std::vector<Side>& sides, const Found& found) const {
  auto words = mapped<std::string>(sides, [&](const Side& side) {
    return side.said_of == found.ruling.disagreement.question
               ? name(side.checker)
               : fmt::format("{} (of {})", name(side.checker),
                             name_of(found.questions, side.said_of));
  });
  return fmt::format("{}", fmt::join(words, ", "));
}

void CompareTable::write_agreement(const Agreement& agreement, DocumentWriter& out) const {
  out.open(Container::kVector);
  for (std::size_t a = 0; a < request_.participants.size(); ++a) {
    for (std::size_t b = a + 1; b < request_.participants.size(); ++b) {
      const PairCount& pair = agreement.pair(a, b);
      out.open(Container::kMap);
      write_names(
          "checkers", std::vector<std::size_t>{a, b},
          [this](std::size_t place) { return name(place); }, out);
      out.key("compared").integer(pair.compared);
      out.key("agreed").integer(pair.agreed);
      out.close();
    }
  }
  out.close();
}

void CompareTable::write_checker(const Agreement& agreement, std::size_t place,
                                 DocumentWriter& out) const {
  const CheckerCount& counts = agreement.checker(place);
  const auto number = [&](std::string_view key, std::uint64_t value) {
    out.key(key).integer(value);
  };
  const auto time = [&](std::string_view key, std::chrono::microseconds value) {
    out.key(key).form(in_seconds(value));
  };
  out.open(Container::kMap);
  if (form_ == CompareForm::kJsonl) {
    out.key("kind").string("checker");
  }
  out.key("checker").string(name(place));
  number("valid", counts.valid);
  number("invalid", counts.invalid);
  number("unknown", counts.unknown);
  number("failed", counts.failed);
  number("not-asked", counts.not_asked);
  time("cpu-seconds-median", median(counts.cpu_times));
  time("cpu-seconds-sum", sum(counts.cpu_times));
  time("cpu-seconds-worst", greatest(counts.cpu_times));
  number("peak-bytes-median", median(counts.peak_bytes));
  number("peak-bytes-worst", greatest(counts.peak_bytes));
  write_names(
      "failures", counts.failures, [](const std::string& failure) { return failure; }, out);
  out.close();
}

void CompareTable::write_found(const Found& found, DocumentWriter& out) const {
  const Ruling& ruling = found.ruling;
  const auto checker_of = [this](const Side& side) { return name(side.checker); };
  out.open(Container::kMap);
  if (form_ == CompareForm::kJsonl) {
    out.key("kind").string("disagreement");
  }
  out.key("history").string(found.label);
  out.key("level").string(name_of(found.questions, ruling.disagreement.question));
  write_names("valid", ruling.disagreement.valid, checker_of, out);
  write_names("invalid", ruling.disagreement.invalid, checker_of, out);
  out.key("elapid").string(validity_word(ruling.elapid));
  out.key("because").string(ruling.because);
  out.key("certificate").string(ruling.certificate);
  out.key("verified").boolean(ruling.is_verified);
  write_names(
      "refuted", ruling.refuted, [this](std::size_t place) { return name(place); }, out);
  out.key("known").each_map(ruling.known, [&](const auto& entry) {
    const auto& [checker, about] = entry;
    out.key("checker").string(name(checker));
    out.key("about").string(about);
  });
  out.key("excuses").string(ruling.excuses);
  if (!ruling.minimal.file.empty()) {
    const MinimalHistory& minimal = ruling.minimal;
    out.key("minimal").open(Container::kMap);
    out.key("file").string(minimal.file);
    out.key("transactions").integer(minimal.transactions);
    out.key("operations").integer(minimal.operations);
    out.key("one-minimal").boolean(minimal.is_one_minimal);
    out.key("because").string(minimal.because);
    out.close();
  }
  out.close();
}

std::string CompareTable::json_end(const Agreement& agreement) const {
  std::string out = "\"agreement\": ";
  DocumentWriter pairs(Syntax::kJson);
  write_agreement(agreement, pairs);
  out += std::move(pairs).take() + ",\n\"checkers\": [";
  for (std::size_t i = 0; i < request_.participants.size(); ++i) {
    DocumentWriter checker(Syntax::kJson);
    write_checker(agreement, i, checker);
    out += (i == 0 ? "\n " : ",\n ") + std::move(checker).take();
  }
  out += "],\n\"disagreements\": [";
  for (std::size_t i = 0; i < found_.size(); ++i) {
    DocumentWriter found(Syntax::kJson);
    write_found(found_[i], found);
    out += (i == 0 ? "\n " : ",\n ") + std::move(found).take();
  }
  return out + "]";
}

std::string CompareTable::jsonl_end(const Agreement& agreement) const {
  std::string out;
  for (std::size_t i = 0; i < request_.participants.size(); ++i) {
    DocumentWriter checker(Syntax::kJson);
    write_checker(agreement, i, checker);
    out += std::move(checker).take() + "\n";
  }
  for (const Found& one : found_) {
    DocumentWriter found(Syntax::kJson);
    write_found(one, found);
    out += std::move(found).take() + "\n";
  }
  DocumentWriter pairs(Syntax::kJson);
  pairs.open(Container::kMap);
  pairs.key("kind").string("agreement");
  pairs.key("pairs");
  write_agreement(agreement, pairs);
  pairs.close();
  return out + std::move(pairs).take() + "\n";
}

}  // namespace elapid
