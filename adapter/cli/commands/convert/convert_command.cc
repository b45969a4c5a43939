// elapid convert: converts histories from any readable format to any writable one.
#include <fmt/format.h>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/convert/convert_jobs.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/visible.h"
#include "parsers/formats.h"
#include "parsers/write.h"

namespace elapid {
namespace {

struct ConvertFlags {
  InputFlags input = {};
  std::string to = {};
  std::string out = {};
  bool lossy = false;
  bool lossless = false;
};

/// The table's row of one history.
struct ConvertedFile {
  std::string from = "-";
  std::size_t txns = 0;
  std::string losses = {};  // letters
  std::string result = "not read";
};

/// The output's format: from --to, else from the output's name.
Result<const Target*> find_target(const ConvertFlags& flags) {
  if (flags.to.empty()) {
    const Target* target = target_of_extension(flags.out);
    return target != nullptr
               ? Result<const Target*>(target)
               : usage_error("the name " + flags.out + " does not tell a format: say --to FORMAT");
  }
  ELAPID_ASSIGN_OR_RETURN(const FormatName format, parse_format(flags.to));
  const Target* target = elapid::find_target(format);
  return target != nullptr
             ? Result<const Target*>(target)
             : usage_error("the format " + flags.to + " can be read, but not written");
}

std::string loss_lines(const std::string& path, const std::vector<Loss>& losses) {
  std::string lines;
  for (const Loss& loss : losses) {
    if (!loss.is_trivial()) {
      lines += fmt::format("{}: {} {}: {} {}\n", visible_line(path), loss.letter,
                           loss.is_made_up() ? "made up" : "lost", loss.count, loss.what);
    }
  }
  return lines;
}

class Conversion {
 public:
  Conversion(const ConvertFlags& flags, const Target& target, ReadOptions read, ConvertJobs jobs)
      : flags_(flags),
        target_(target),
        read_(std::move(read)),
        jobs_(std::move(jobs)),
        rows_(jobs_.jobs.size()),
        progress_(false) {}

  ExitCode run() {
    const ExitCode code = print_reports(rows_.size(), thread_count(flags_.input), progress_,
                                        [this](std::size_t job) { return convert(job); });
    if (jobs_.into_directory && code != ExitCode::kInterrupted) {
      print_text(table());
    }
    return code;
  }

 private:
  Report convert(std::size_t number) {
    const ConvertJob& job = jobs_.jobs[number];
    ConvertedFile& row = rows_[number];
    Result<LoadedHistory> loaded = read_input(job.input, read_, progress_);
    if (!loaded) {
      return error_report(loaded.error());
    }
    row.from = text(loaded.value().format());
    row.txns = loaded.value().history().txn_count();
    const std::string warnings = salvage_warnings(job.input, loaded.value().history());
    Result<ConversionReport> report = write(loaded.value(), job.output);
    if (!report) {
      return refused(job, std::move(report.error()), row);
    }
    row.losses = loss_letters(report.value().losses);
    row.result = "written";
    return {.err = warnings + loss_lines(job.input, report.value().losses)};
  }

  Result<ConversionReport> write(LoadedHistory& loaded, const std::string& out) {
    if (jobs_.into_directory) {
      std::error_code ignored;  // a write error reports it
      std::filesystem::create_directories(std::filesystem::path(out).parent_path(), ignored);
    }
    const WriteOptions options = {
        .target = &target_,
        .policy = flags_.lossy      ? LossPolicy::kAny
                  : flags_.lossless ? LossPolicy::kNone
                                    : LossPolicy::kHarmless,
        .details = [&loaded](SourcePosition position) { return loaded.details(position); },
        .any_loss = "--lossy"};
    return write_history(loaded.history(), loaded.history().workload(), out, options);
  }

  static Report refused(const ConvertJob& job, Error error, ConvertedFile& row) {
    row.result = error.kind == ErrorKind::kUsage ? "refused" : "not written";
    if (error.file.empty() && error.kind != ErrorKind::kInternal) {
      error.file = job.input;
    }
    return error_report(error);
  }

  [[nodiscard]] std::string table() const {
    std::string lines = "path\tfrom\tto\ttransactions\tlosses\tresult\n";
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ConvertedFile& row = rows_[i];
      lines +=
          fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", visible_line(jobs_.jobs[i].input), row.from,
                      text(target_), row.txns, row.losses.empty() ? "-" : row.losses, row.result);
    }
    return lines;
  }

  const ConvertFlags& flags_;
  const Target& target_;
  ReadOptions read_;
  ConvertJobs jobs_;
  std::vector<ConvertedFile> rows_;
  Progress progress_;
};

Result<ExitCode> run_convert(const ConvertFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const Target* const target, find_target(flags));
  ELAPID_ASSIGN_OR_RETURN(ReadOptions options, read_options(flags.input));
  ELAPID_ASSIGN_OR_RETURN(ConvertJobs jobs, convert_jobs(flags.input.inputs, flags.out, *target));
  return Conversion(flags, *target, std::move(options), std::move(jobs)).run();
}

}  // namespace

Command convert_command() {
  const auto flags = std::make_shared<ConvertFlags>();
  Command command = {.name = "convert",
                     .about = "Write histories in another format",
                     .run = [flags] { return run_convert(*flags); }};
  Options& options = command.options;
  add_reading_flags(options, flags->input);
  options.begin_group("What to write");
  options
      .value("-o,--output", "OUT", flags->out,
             "File or directory to write; - for standard output; a folder for several inputs")
      .required();
  options
      .value("-t,--to", "FORMAT", flags->to,
             "Format to write, as polysi or dbcop:json; otherwise told by OUT's extension")
      .proposes(format_names());
  options.flag("--lossy", flags->lossy, "Accept losses that can change the verdict on a history");
  options.flag("--lossless", flags->lossless, "Refuse any loss").excludes("--lossy");
  return command;
}

}  // namespace elapid
