// elapid show: shows one anomaly of a result of `elapid check -d`, as text, Markdown or picture.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "adapter/cli/command.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/report/result_folder.h"

namespace elapid {
namespace {

struct ShowFlags {
  std::string folder = {};
  std::optional<std::size_t> anomaly = {};
  std::string format = "text";
};

Result<ExitCode> run_show(const ShowFlags& flags) {
  const std::string form = flags.format == "text" ? "txt" : flags.format;
  ELAPID_ASSIGN_OR_RETURN(const std::string shown, read_finding(flags.folder, flags.anomaly, form));
  form == "txt" ? print_text(shown) : print_document(shown);
  return ExitCode::kOk;
}

}  // namespace

Command show_command() {
  const auto flags = std::make_shared<ShowFlags>();
  Command command = {.name = "show",
                     .about = "One anomaly of a result, as text, Markdown or picture",
                     .run = [flags] { return run_show(*flags); }};
  command.options.argument("RESULT", flags->folder, "A folder that check -d has written")
      .once()
      .required();
  command.options.number("--anomaly", "N", flags->anomaly,
                         "Its number in the report, from 1; otherwise all are listed",
                         {.least = 1});
  command.options.value("--format", "FORM", flags->format, "text (default), md, svg or dot")
      .one_of({"text", "md", "svg", "dot"});
  return command;
}

}  // namespace elapid
