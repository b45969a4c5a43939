#include "adapter/cli/commands/compare/ruling.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "adapter/certificate/certificate.h"
#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/reports/source_details.h"
#include "adapter/elle/file_output.h"
#include "engine/evidence/describe.h"
#include "harness/compare/question.h"
#include "harness/minimize/call_deletion.h"
#include "harness/minimize/keeps.h"
#include "harness/minimize/minimize.h"
#include "harness/process/scratch_folder.h"
#include "harness/story/story.h"
#include "harness/story/story_text.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"
#include "parsers/write.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// The evidence of a verdict, in one line.
std::string because_of(const History& history, const Verdict& verdict) {
  const bool has_levels = history.workload().has_levels();
  if (verdict.validity == Validity::kValid) {
    return has_levels ? "an order of events explains every read"
                      : "its checker finds nothing against it";
  }
  if (verdict.validity == Validity::kUnknown) {
    return verdict.unknown_because.value_or("it stays open");
  }
  const std::vector<Finding> found = findings(history, verdict);
  if (found.empty()) {
    return has_levels ? "there is no order of events that explains every read"
                      : "its checker does not accept it";
  }
  const Description& first = found.front().description;
  return first.name + (first.gloss.empty() ? "" : ": " + first.gloss);
}

std::set<std::string> anomalies_of(const History& history, const Verdict& verdict) {
  std::set<std::string> names;
  for (const FoundAnomaly& found : anomalies_found(history, verdict)) {
    names.insert(found.name);
  }
  return names;
}

/// Whether a known weakness applies to the checker's answer.
bool fits(const Weakness& weakness, Validity said, Model level, Workload workload,
          const std::set<std::string>& anomalies) {
  const auto is_about_level = [&] {
    for (const Model model : weakness.models) {
      if (ask_the_same(model, level, workload)) {
        return true;
      }
    }
    return weakness.models.none();
  };
  const auto is_about_anomaly = [&] {
    return weakness.anomalies.empty() ||
           std::ranges::any_of(weakness.anomalies,
                               [&](const std::string& name) { return anomalies.contains(name); });
  };
  return weakness.verdict == said && is_about_level() && is_about_anomaly();
}

class Referee {
 public:
  Referee(const CompareRequest& request, const std::string& path, LoadedHistory& loaded,
          std::span<const Statement> statements, Progress& progress, Report& report)
      : request_(request),
        path_(path),
        loaded_(loaded),
        statements_(statements),
        progress_(progress),
        report_(report) {}

  Ruling rule_on(const Disagreement& disagreement) {
    ruling_.disagreement = disagreement;
    const Result<Verdict> verdict = elapids_answer(history(), disagreement.question);
    if (verdict) {
      ruling_.elapid = verdict.value().validity;
      ruling_.because = because_of(history(), verdict.value());
      certify(verdict.value());
      find_refuted(verdict.value());
    } else {
      ruling_.because = verdict.error().to_string();
    }
    if (request_.minimizes) {
      minimize_it(verdict ? &verdict.value() : nullptr);
    }
    return std::move(ruling_);
  }

 private:
  [[nodiscard]] const History& history() const { return loaded_.history(); }

  [[nodiscard]] std::string level() const {
    return name_of(request_.questions, ruling_.disagreement.question);
  }

  Result<Verdict> elapids_answer(const History& of, Model question) const {
    CheckOptions options = options_for(of, Engine::kAuto, question, request_.settings);
    options.needs_order = options.models.any() && order_level(question).has_value();
    options.progress = [this](std::string_view stage) { return progress_.stage(path_, stage); };
    set_limits(limits_of_check(request_.settings, "--timeout"), options);
    return check_history(of, options);
  }

  void complain(const Error& error) { append(report_, error_report(error)); }

  /// The folder of this history's files. Error: kUnreadable.
  Result<fs::path> folder() const {
    fs::path place = fs::path(request_.directory) / place_of_evidence(path_);
    if (!loaded_.key().empty()) {
      place /= safe_file_name("key-" + loaded_.key());
    }
    std::error_code error;
    fs::create_directories(place, error);
    return error ? Result<fs::path>(Error{.kind = ErrorKind::kUnreadable,
                                          .message = "cannot be made: " + error.message(),
                                          .file = place.string()})
                 : place;
  }

  /// Writes the certificate where files are kept, and verifies what was written.
  void certify(const Verdict& verdict) {
    const bool has_certificate = history().workload().has_levels() &&
                                 verdict.validity != Validity::kUnknown &&
                                 order_level(ruling_.disagreement.question).has_value();
    if (!has_certificate) {
      return;
    }
    Result<ScratchFolder> scratch = ScratchFolder::create();
    const bool is_kept = !request_.directory.empty();
    const Result<fs::path> place = is_kept   ? folder()
                                   : scratch ? Result<fs::path>(scratch.value().path())
                                             : Result<fs::path>(scratch.error());
    if (!place) {
      complain(place.error());
      return;
    }
    const std::string file = place.value() / (safe_file_name(level()) + ".cert");
    if (const Status written = write(verdict, file); !written.ok()) {
      complain(written.error());
      return;
    }
    ruling_.is_verified = is_sound(file);
    ruling_.certificate = is_kept ? file : "";
  }

  Status write(const Verdict& verdict, const std::string& file) const {
    ELAPID_ASSIGN_OR_RETURN(CertificateWriter writer, CertificateWriter::create(file));
    writer.add(history(), loaded_.key(), verdict);
    return writer.commit();
  }

  [[nodiscard]] bool is_sound(const std::string& file) {
    const Result<std::vector<Certificate>> read = read_certificates(
        file, [this](std::string_view key) { return key == loaded_.key() ? &history() : nullptr; });
    if (!read) {
      complain(read.error());
      return false;
    }
    return !read.value().empty() &&
           std::ranges::none_of(read.value(), [this](const Certificate& certificate) {
             return flaw_of(certificate, history()).has_value();
           });
  }

  void find_refuted(const Verdict& verdict) {
    const Disagreement& disagreement = ruling_.disagreement;
    if (verdict.validity == Validity::kUnknown) {
      return;
    }
    const bool is_valid = verdict.validity == Validity::kValid;
    const std::set<std::string> anomalies = anomalies_of(history(), verdict);
    for (const Side& side : is_valid ? disagreement.invalid : disagreement.valid) {
      ruling_.refuted.push_back(side.checker);
      add_known(side, is_valid ? Validity::kInvalid : Validity::kValid, anomalies);
      add_excuses(side);
    }
  }

  void add_known(const Side& side, Validity said, const std::set<std::string>& anomalies) {
    const Checker& checker = request_.checker(side.checker);
    bool is_known = false;
    for (const Weakness& weakness : checker.weaknesses) {
      if (history().workload().has_levels() &&
          fits(weakness, said, side.said_of, history().workload(), anomalies)) {
        ruling_.known.emplace_back(side.checker, weakness.about);
        is_known = true;
      }
    }
    if (!is_known && history().workload().has_levels() && said == Validity::kValid &&
        !checker.assumptions.initial_state_first) {
      ruling_.known.emplace_back(side.checker,
                                 "puts the initial state before nothing, so that stale reads of "
                                 "it are accepted");
    }
  }

  /// Notes where the checker was shown another history than Elapid judged.
  void add_excuses(const Side& side) {
    for (const Statement& statement : statements_) {
      if (statement.checker != side.checker || statement.question != side.said_of) {
        continue;
      }
      for (const char letter : statement.answer.excuses) {
        if (ruling_.excuses.find(letter) == std::string::npos) {
          ruling_.excuses += letter;
        }
      }
    }
  }

  // The minimal history.

  /// Two checkers that contradict each other; an engine of Elapid where possible, since it is
  /// quick.
  [[nodiscard]] std::pair<Side, Side> opponents() const {
    const auto quickest = [this](const std::vector<Side>& sides) {
      const auto own = std::ranges::find_if(sides, [this](const Side& side) {
        return request_.checker(side.checker).engine.has_value();
      });
      return own == sides.end() ? sides.front() : *own;
    };
    return {quickest(ruling_.disagreement.valid), quickest(ruling_.disagreement.invalid)};
  }

  /// Keeps a history while one checker says valid and the other invalid. The quick checker is asked
  /// first.
  [[nodiscard]] Keeps keeps() const {
    auto [valid, invalid] = opponents();
    const bool is_valid_quick = request_.checker(valid.checker).engine.has_value();
    const std::pair<Side, Outcome> first =
        is_valid_quick ? std::pair(valid, Outcome::kValid) : std::pair(invalid, Outcome::kInvalid);
    const std::pair<Side, Outcome> second =
        is_valid_quick ? std::pair(invalid, Outcome::kInvalid) : std::pair(valid, Outcome::kValid);
    return [this, first, second](const History& candidate) -> Result<bool> {
      CompareSettings settings = request_.settings;
      settings.details = details_of(candidate);
      ELAPID_ASSIGN_OR_RETURN(ShownHistory shown, ShownHistory::create(candidate, settings));
      const auto still_says = [&](const std::pair<Side, Outcome>& what) {
        const Participant& participant = request_.participants[what.first.checker];
        return shown.ask(participant, what.first.said_of).outcome == what.second;
      };
      return still_says(first) && still_says(second);
    };
  }

  void minimize_it(const Verdict* verdict) {
    MinimizeOptions options;
    options.is_known_to_hold = true;
    options.is_cancelled = request_.settings.is_cancelled;
    options.progress = [this](const MinimizeProgress& at) {
      progress_.stage(path_, fmt::format("minimizing, {} transactions", at.txns));
    };
    if (verdict != nullptr) {
      for (const FoundAnomaly& found : anomalies_found(history(), *verdict)) {
        options.named.insert(options.named.end(), found.named.begin(), found.named.end());
      }
    }
    const Result<Minimized> minimized = minimize(history(), keeps(), options);
    if (!minimized) {
      complain(minimized.error());
      return;
    }
    keep(minimized.value());
  }

  void keep(const Minimized& minimized) {
    const Result<fs::path> place = folder();
    if (!place) {
      complain(place.error());
      return;
    }
    Result<std::string> file = write_minimal(minimized.history, place.value());
    if (!file) {
      complain(file.error());
      return;
    }
    MinimalHistory& minimal = ruling_.minimal;
    minimal.file = std::move(file).value();
    minimal.transactions = minimized.history.txn_count();
    minimal.operations = minimized.history.op_count();
    minimal.is_one_minimal = minimized.is_one_minimal;
    tell(minimized.history, place.value());
  }

  /// Writes the story of the minimal history beside it.
  void tell(const History& minimal, const fs::path& place) {
    const Result<Verdict> verdict = elapids_answer(minimal, ruling_.disagreement.question);
    if (!verdict) {
      return;
    }
    if (verdict.value().validity == Validity::kInvalid) {
      ruling_.minimal.because = because_of(minimal, verdict.value());
    }
    const ToldStory story =
        tell_story(minimal, verdict.value(),
                   {.call_text = call_text(minimal, loaded_), .whole_txns = history().txn_count()});
    const Status written =
        write_file(place / (safe_file_name(level()) + ".story.txt"), to_text(story));
    if (!written.ok()) {
      complain(written.error());
    }
  }

  [[nodiscard]] std::string minimal_name() const { return safe_file_name(level()) + ".min"; }

  [[nodiscard]] EventDetailsFn details_of(const History& smaller) const {
    return details_of_small(smaller, request_.settings.details, !loaded_.key().empty());
  }

  /// Writes the minimal history in the input's format if that can hold it, else as JSON lines.
  Result<std::string> write_minimal(const History& minimal, const fs::path& place) const {
    const Target* own = target_of_calls(minimal, find_target(loaded_.format()));
    Result<std::string> file = own == nullptr ? Result<std::string>(usage_error("not written"))
                                              : write_minimal_as(*own, minimal, place);
    return file ? std::move(file)
                : write_minimal_as(*target_of_extension("minimal.jsonl"), minimal, place);
  }

  Result<std::string> write_minimal_as(const Target& target, const History& minimal,
                                       const fs::path& place) const {
    const std::string file = place / (minimal_name() + std::string(target.extension));
    std::error_code ignored;
    fs::remove_all(file, ignored);  // of an earlier run
    const Result<ConversionReport> written =
        write_history(minimal, minimal.workload(), file,
                      {.target = &target,
                       .details = details_of(minimal),
                       .any_loss = request_.settings.any_loss});
    return written ? Result<std::string>(file) : written.error();
  }

  const CompareRequest& request_;
  const std::string& path_;
  LoadedHistory& loaded_;
  std::span<const Statement> statements_;
  Progress& progress_;
  Report& report_;
  Ruling ruling_ = {};
};

}  // namespace

Ruling rule_on(const CompareRequest& request, const std::string& path, LoadedHistory& loaded,
               const Disagreement& disagreement, std::span<const Statement> statements,
               Progress& progress, Report& report) {
  return Referee(request, path, loaded, statements, progress, report).rule_on(disagreement);
}

}  // namespace elapid
