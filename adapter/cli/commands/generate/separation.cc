#include "adapter/cli/commands/generate/separation.h"

#include <fmt/format.h>

#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/levels/entailment.h"
#include "harness/separate/separate.h"
#include "parsers/write.h"

namespace elapid {

namespace {

std::string size_text(ShapeSize size) {
  const auto count = [](std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return count(size.txns, "transaction") + " and " + count(size.ops, "operation");
}

/// Searches, reports the size searched, and stops at Ctrl-C.
Result<SeparationSearch> search(Model allowing, Model forbidding, ShapeSize most,
                                const std::string& out) {
  Progress progress(false);
  Result<SeparationSearch> found = separate(allowing, forbidding, most, [&](ShapeSize size) {
    return progress.stage(out, "histories of " + size_text(size));
  });
  progress.clear();
  return found;
}

ExitCode report_none(Model allowing, Model forbidding, ShapeSize most, std::uint64_t tried) {
  print_notes(entailed(allowing).test(forbidding)
                  ? fmt::format("every history that {} allows, {} allows too\n",
                                friendly_name(allowing), friendly_name(forbidding))
                  : fmt::format("no history of at most {} is known to satisfy {} and to violate "
                                "{}: {} were checked, the others are serial\n",
                                size_text(most), friendly_name(allowing), friendly_name(forbidding),
                                with_commas(tried)));
  return ExitCode::kUnknown;
}

Result<ExitCode> write(const Separator& separator, const Target& target, const std::string& out,
                       const std::string& what) {
  ELAPID_RETURN_IF_ERROR(write_history(build(separator.history), separator.history.model, out,
                                       {.target = &target, .any_loss = "another format"}));
  print_notes(
      fmt::format("{}: {}, smallest: {}\n", visible_line(out), size_text(separator.size), what));
  return ExitCode::kOk;
}

}  // namespace

void add_separation_flags(Options& options, SeparationFlags& flags) {
  options.value("--separate", "LEVEL", flags.allowing,
                "Search a smallest history that this level allows and the level after it forbids");
  options.argument("LEVEL", flags.forbidding, "With --separate: the level that forbids it");
  options.number("--max-transactions", "N", flags.max_transactions,
                 "With --separate: transactions of the largest histories tried (default 4)",
                 {1, kSmallTxns});
  options.number("--max-operations", "N", flags.max_operations,
                 "With --separate: operations of all transactions together (default 6)",
                 {1, kSmallOps});
}

Result<ExitCode> generate_separation(const SeparationFlags& flags, const Target& target,
                                     const std::string& out) {
  ELAPID_ASSIGN_OR_RETURN(const Model allowing, parse_model(flags.allowing));
  if (flags.forbidding.empty()) {
    return usage_error("--separate takes two levels, as in --separate " + flags.allowing +
                       " serializable");
  }
  ELAPID_ASSIGN_OR_RETURN(const Model forbidding, parse_model(flags.forbidding));
  catch_interrupt();
  const ShapeSize most{flags.max_transactions, flags.max_operations};
  const Result<SeparationSearch> found = search(allowing, forbidding, most, out);
  if (!found.ok()) {
    return interrupted() ? Result<ExitCode>(ExitCode::kInterrupted) : found.error();
  }
  if (!found.value().found) {
    return report_none(allowing, forbidding, most, found.value().tried);
  }
  return write(*found.value().found, target, out,
               fmt::format("{} allows it, {} forbids it", friendly_name(allowing),
                           friendly_name(forbidding)));
}

}  // namespace elapid
