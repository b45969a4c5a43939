#include "parsers/write.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/ir/json_string.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/rows_as_registers.h"
#include "parsers/format.h"
#include "parsers/formats.h"

namespace elapid {

namespace {

// The names of keys, values and sessions in the source, by their names in the output.

using Names =
    std::vector<std::pair<std::string, std::string>>;  // in the output, JSON of the source

Names names_of(const Plan& plan, const Numbering& numbering) {
  Names names;
  if (&numbering == &plan.key_numbers() && plan.keeps_key_names()) {
    return names;
  }
  for (const auto& [number, name] : numbering.renumbered()) {
    names.emplace_back(std::to_string(number), json_quoted(plan.history().text(name)));
  }
  return names;
}

Names key_names(const Plan& plan) {
  const History& history = plan.history();
  if (!plan.target().letter_keys) {
    return names_of(plan, plan.key_numbers());
  }
  Names names;
  for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
    names.emplace_back(std::string(1, static_cast<char>('a' + key.value)),
                       json_quoted(history.key_text(key)));
  }
  return names;
}

/// The names of numbered writes: number -> [key, value].
Names write_names(const Plan& plan) {
  const History& history = plan.history();
  std::vector<std::pair<std::int64_t, std::uint32_t>> writes;
  for (const auto& [place, number] : plan.write_numbers()) {
    writes.emplace_back(number, place);
  }
  std::ranges::sort(writes);
  Names names;
  for (const auto& [number, place] : writes) {
    const Op op = history.all_ops()[place];
    names.emplace_back(std::to_string(number), '[' + json_quoted(history.key_text(op.key())) +
                                                   ", " + json_quoted(history.text(op.value())) +
                                                   ']');
  }
  return names;
}

Names session_names(const Plan& plan) {
  Names names;
  const std::vector<std::int64_t>& numbers = plan.session_numbers();
  for (SessionId session{0}; session.index() < numbers.size(); ++session.value) {
    if (plan.sessions_are_renumbered()) {
      const auto given = plan.history().session_given_name(session);
      names.emplace_back(
          std::to_string(numbers[session.index()]),
          given ? json_quoted(*given) : std::to_string(plan.history().session_name(session)));
    }
  }
  return names;
}

void write_names(std::string_view field, const Names& names, OutputFile& out) {
  out << ",\n \"" << field << "\": {";
  for (std::size_t i = 0; i < names.size(); ++i) {
    out << (i == 0 ? "" : ", ") << '"' << names[i].first << "\": " << names[i].second;
  }
  out << '}';
}

/// Whether the output renames anything.
bool renames(const Plan& plan) {
  return !key_names(plan).empty() || plan.column_numbers().renumbered_count() > 0 ||
         plan.value_numbers().renumbered_count() > 0 || plan.value_numbers().is_moved() ||
         !plan.write_numbers().empty() || plan.sessions_are_renumbered();
}

/// One JSON object (docs/conversion.md): from, to, keys, values, values_greater_by, writes,
/// sessions.
Status write_name_map(const Plan& plan, OutputFile& out) {
  out << "{\"from\": " << json_quoted(plan.history().info().format)
      << ",\n \"to\": " << json_quoted(text(plan.target()));
  write_names("keys", key_names(plan), out);
  if (plan.workload() == Workload::kRows) {
    write_names("columns", names_of(plan, plan.column_numbers()), out);
  }
  write_names("values", names_of(plan, plan.value_numbers()), out);
  out << ",\n \"values_greater_by\": " << (plan.value_numbers().is_moved() ? 1 : 0);
  write_names("writes", write_names(plan), out);
  write_names("sessions", session_names(plan), out);
  out << "}\n";
  return {};
}

/// Refuses losses that the policy forbids, with words such as `12 aborted transactions left out
/// (A)`.
Status check_losses(const std::vector<Loss>& losses, const WriteOptions& options) {
  const LossPolicy policy = options.policy;
  std::string forbidden;
  for (const Loss& loss : losses) {
    const bool is_forbidden = policy == LossPolicy::kNone       ? !loss.is_made_up()
                              : policy == LossPolicy::kHarmless ? loss.changes_verdict
                              : policy == LossPolicy::kNamed
                                  ? loss.changes_verdict && loss.letter != 'B'
                                  : false;
    if (is_forbidden) {
      forbidden += forbidden.empty() ? "" : ", ";
      forbidden += std::to_string(loss.count) + ' ' + loss.what + " (" + loss.letter + ')';
    }
  }
  if (forbidden.empty()) {
    return {};
  }
  const std::string way_out = "; " + std::string(options.any_loss) + " accepts that";
  return usage_error("as " + text(*options.target) + " it would lose: " + forbidden +
                     (policy == LossPolicy::kNone ? "" : way_out));
}

template <class Output, class Write>
Status write_output(const Plan& plan, const std::string& path, Write write) {
  ELAPID_ASSIGN_OR_RETURN(Output output, Output::create(path));
  ELAPID_RETURN_IF_ERROR(write(plan, output));
  return output.commit();
}

Status write_plan(const Plan& plan, const std::string& out) {
  const Target& target = plan.target();
  return target.is_directory() ? write_output<OutputDirectory>(plan, out, target.write_directory)
                               : write_output<OutputFile>(plan, out, target.write_file);
}

std::string map_name(std::string out) {
  while (out.size() > 1 && out.ends_with('/')) {
    out.pop_back();
  }
  return out + ".map.json";
}

/// Writes the map if it has content, or if the map of an earlier conversion exists.
Status write_map(const Plan& plan, const std::string& out, ConversionReport& report) {
  std::error_code ignored;
  const std::string path = map_name(out);
  const bool is_needed = renames(plan);
  if (out == "-" || (!is_needed && !std::filesystem::exists(path, ignored))) {
    return {};
  }
  report.map = is_needed ? path : "";
  return write_output<OutputFile>(plan, path, write_name_map);
}

/// The history in a form that the target can hold: rows as registers if the target has no rows, or
/// if it has rows of values and registers say the same; or registers as rows.
class Source {
 public:
  /// Borrows the history. Error kUsage where its rows are no registers.
  static Result<Source> make(const History& history, Workload workload, const Target& target) {
    Source source(history, workload);
    if (workload == Workload::kRows && target.registers &&
        (!target.rows || target.rows_are_values)) {
      Result<History> registers = rows_as_registers(history);
      if (!registers && target.rows) {
        return source;
      }
      if (!registers) {
        registers.error().message =
            text(target) + " holds no rows and predicates: " + registers.error().message;
        return std::move(registers.error());
      }
      source.made_ = std::make_unique<History>(std::move(registers).value());
      source.workload_ = Workload::kRwRegister;
    }
    if (workload == Workload::kRwRegister && target.rows && !target.registers) {
      Result<History> rows = registers_as_rows(history);
      if (!rows) {
        rows.error().message = text(target) + " holds rows: " + rows.error().message;
        return std::move(rows.error());
      }
      source.made_ = std::make_unique<History>(std::move(rows).value());
      source.workload_ = Workload::kRows;
    }
    return source;
  }

  [[nodiscard]] const History& history() const { return made_ != nullptr ? *made_ : *history_; }

  [[nodiscard]] Workload workload() const { return workload_; }

 private:
  Source(const History& history, Workload workload) : history_(&history), workload_(workload) {}

  const History* history_;
  std::unique_ptr<History> made_;
  Workload workload_;
};

/// The plan, if the policy accepts its losses.
Result<Plan> accepted_plan(const Source& from, const WriteOptions& options) {
  const History& history = from.history();
  const std::optional<FormatName> source = find_format(history.info().format);
  Result<Plan> plan =
      Plan::make(history, from.workload(), *options.target,
                 {.details = options.details, .has_header = source && source->format->has_header});
  if (plan) {
    ELAPID_RETURN_IF_ERROR(check_losses(plan.value().losses(), options));
  }
  return plan;
}

}  // namespace

const Target* target_of_calls(const History& history, const Target* target) {
  if (target == nullptr || history.workload() != Workload::kCasRegister ||
      history.key_count() != 1) {
    return target;
  }
  const auto of_one = std::ranges::find_if(targets(), [&](const Target& other) {
    return other.one_register && other.extension == target->extension;
  });
  return of_one == targets().end() ? target : &*of_one;
}

std::string loss_letters(const std::vector<Loss>& losses) {
  std::string letters;
  for (const Loss& loss : losses) {
    if (!loss.is_trivial() && letters.find(loss.letter) == std::string::npos) {
      letters += loss.letter;
    }
  }
  return letters;
}

Result<ConversionReport> plan_conversion(const History& history, Workload workload,
                                         const WriteOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(const Source source, Source::make(history, workload, *options.target));
  ELAPID_ASSIGN_OR_RETURN(const Plan plan, accepted_plan(source, options));
  return ConversionReport{.losses = plan.losses(), .txns = plan.txns().size()};
}

Result<ConversionReport> write_history(const History& history, Workload workload,
                                       const std::string& out, const WriteOptions& options) {
  const Target& target = *options.target;
  if (target.is_directory() && out == "-") {
    return usage_error(text(target) + " is a directory and cannot go to standard output");
  }
  ELAPID_ASSIGN_OR_RETURN(const Source source, Source::make(history, workload, target));
  ELAPID_ASSIGN_OR_RETURN(const Plan plan, accepted_plan(source, options));
  ConversionReport report{.losses = plan.losses(), .txns = plan.txns().size()};
  ELAPID_RETURN_IF_ERROR(write_plan(plan, out));
  ELAPID_RETURN_IF_ERROR(write_map(plan, out, report));
  return report;
}

}  // namespace elapid
