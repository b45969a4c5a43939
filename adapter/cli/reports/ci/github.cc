#include "adapter/cli/reports/ci/github.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/ir/visible.h"

namespace elapid {

namespace {

/// Escapes text for a workflow command: line breaks and percent signs, in properties colons and
/// commas too.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : visible(text)) {
    const bool is_special = c == '%' || c == '\n' || (is_property && (c == ':' || c == ','));
    out += is_special ? fmt::format("%{:02X}", static_cast<unsigned>(c)) : std::string(1, c);
  }
  return out;
}

struct Annotation {
  CiPlace place = {};
  std::string title = {};
  std::string text = {};
};

std::string command(std::string_view level, const Annotation& annotation) {
  std::string properties;
  if (!annotation.place.file.empty()) {
    properties += "file=" + escaped(annotation.place.file, true) + ',';
  }
  if (annotation.place.line > 0) {
    properties += fmt::format("line={},", annotation.place.line);
  }
  return fmt::format("::{} {}title={}::{}\n", level, properties, escaped(annotation.title, true),
                     escaped(annotation.text, false));
}

/// The commands of at most kMostAnnotations annotations; the last one counts the others.
std::string commands(std::string_view level, const std::vector<Annotation>& annotations) {
  const bool fit = annotations.size() <= kMostAnnotations;
  const std::size_t shown = fit ? annotations.size() : kMostAnnotations - 1;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += command(level, annotations[i]);
  }
  if (!fit) {
    out += command(level, {.title = fmt::format("{} more", annotations.size() - shown),
                           .text = "The summary of this step and its log name them."});
  }
  return out;
}

std::string_view word(const CiHistory& history) {
  return history.validity ? validity_word(*history.validity) : "not checked";
}

std::string rules(const CiHistory& history) {
  std::string out;
  for (const CiFinding& finding : history.findings) {
    out += (out.empty() ? "" : ", ") + finding.rule;
  }
  return out;
}

/// The text of a table's cell, without markup.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '\n':
        out += ' ';
        break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '|':
      case '#':
      case '@':
        out += '\\';
        out += c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// A block of preformatted text. Its fence is longer than any in the text.
std::string block(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + visible(text) + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
}

/// Joins parts while they fit.
class Bounded {
 public:
  void add(const std::string& part) {
    if (text_.size() + part.size() + kNote.size() > kMostSummaryBytes) {
      is_cut_ = true;
    } else if (!is_cut_) {
      text_ += part;
    }
  }

  [[nodiscard]] std::string take() && { return is_cut_ ? text_ + std::string(kNote) : text_; }

 private:
  static constexpr std::string_view kNote =
      "\nThere is more than a summary may hold: see the log.\n";
  std::string text_ = {};
  bool is_cut_ = false;
};

}  // namespace

std::string github_annotations(std::span<const CiHistory> histories) {
  std::vector<Annotation> errors;
  std::vector<Annotation> warnings;
  std::string log;
  for (const CiHistory& history : histories) {
    log += fmt::format("{}\t{}{}{}\n", word(history), escaped(history.path, false),
                       history.findings.empty() && history.message.empty() ? "" : "\t",
                       history.findings.empty() ? escaped(history.message, false) : rules(history));
    for (const CiFinding& finding : history.findings) {
      const CiPlace& place = finding.steps.empty() ? history.place : finding.steps.front().place;
      errors.push_back({place, finding.rule + " in " + history.path, finding.text});
    }
    if (!history.validity) {
      errors.push_back({history.place, "not checked: " + history.path, history.message});
    } else if (history.findings.empty() && *history.validity == Validity::kInvalid) {
      errors.push_back({history.place, "invalid: " + history.path, history.levels});
    } else if (*history.validity == Validity::kUnknown) {
      warnings.push_back({history.place, "unknown: " + history.path, history.message});
    }
    if (!history.vacuity.empty()) {
      errors.push_back({history.place, "vacuous: " + history.path, history.vacuity});
    }
  }
  return commands("error", errors) + commands("warning", warnings) + log;
}

std::string github_summary(std::span<const CiHistory> histories) {
  const auto count = [&](std::string_view what) {
    return std::ranges::count(histories, what, word);
  };
  Bounded out;
  out.add(fmt::format("### elapid: {} valid, {} invalid, {} unknown, {} not checked\n\n",
                      count("valid"), count("invalid"), count("unknown"), count("not checked")));
  out.add("| history | verdict | levels | found |\n|---|---|---|---|\n");
  for (const CiHistory& history : histories) {
    out.add(fmt::format("| {} | {} | {} | {} |\n", cell(history.path), word(history),
                        cell(history.levels),
                        cell(history.findings.empty() ? history.message : rules(history))));
  }
  out.add("\n");
  for (const CiHistory& history : histories) {
    for (const CiFinding& finding : history.findings) {
      out.add(fmt::format("#### {} in {}\n\n", cell(finding.rule), cell(history.path)) +
              block(finding.text));
    }
  }
  return std::move(out).take();
}

}  // namespace elapid
