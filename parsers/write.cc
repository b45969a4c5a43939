#include "parsers/write.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "parsers/bytes/output.h"
#include "parsers/convert/name_map.h"
#include "parsers/convert/rows_as_registers.h"
#include "parsers/format.h"
#include "parsers/formats.h"

namespace elapid {

namespace {

/// `12 aborted transactions left out (A)`, as many as the policy forbids.
Status check_losses(const std::vector<Loss>& losses, const WriteOptions& options) {
  const LossPolicy policy = options.policy;
  std::string forbidden;
  for (const Loss& loss : losses) {
    const bool is_forbidden = policy == LossPolicy::kNone       ? !loss.is_made_up()
                              : policy == LossPolicy::kHarmless ? loss.changes_verdict
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
  Result<Output> output = Output::create(path);
  ELAPID_RETURN_IF_ERROR(output);
  ELAPID_RETURN_IF_ERROR(write(plan, output.value()));
  return output.value().commit();
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

/// Writes the map if there is something in it, or if that of an earlier conversion lies there.
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

/// A history as its target can hold it: rows as registers where it has no rows, or where these are
/// values and registers say the same; and the other way round.
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

/// The plan, if the policy accepts what it loses.
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
  const Result<Source> source = Source::make(history, workload, *options.target);
  ELAPID_RETURN_IF_ERROR(source);
  const Result<Plan> plan = accepted_plan(source.value(), options);
  ELAPID_RETURN_IF_ERROR(plan);
  return ConversionReport{.losses = plan.value().losses(), .txns = plan.value().txns().size()};
}

Result<ConversionReport> write_history(const History& history, Workload workload,
                                       const std::string& out, const WriteOptions& options) {
  const Target& target = *options.target;
  if (target.is_directory() && out == "-") {
    return usage_error(text(target) + " is a directory and cannot go to standard output");
  }
  const Result<Source> source = Source::make(history, workload, target);
  ELAPID_RETURN_IF_ERROR(source);
  const Result<Plan> made = accepted_plan(source.value(), options);
  ELAPID_RETURN_IF_ERROR(made);
  const Plan& plan = made.value();
  ConversionReport report{.losses = plan.losses(), .txns = plan.txns().size()};
  ELAPID_RETURN_IF_ERROR(write_plan(plan, out));
  ELAPID_RETURN_IF_ERROR(write_map(plan, out, report));
  return report;
}

}  // namespace elapid
