#include "adapter/cli/reports/ci/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "adapter/elle/document_writer.h"
#include "engine/ir/visible.h"

namespace elapid {

namespace {

/// A result about a whole history.
struct Whole {
  std::string_view rule;
  std::string_view gloss;
  std::string_view level;
  std::string said;
};

std::vector<Whole> wholes(const CiHistory& history) {
  std::vector<Whole> all;
  if (history.validity == Validity::kUnknown) {
    all.push_back(
        {"unknown", "the levels could not be decided", "note", "unknown: " + history.message});
  }
  if (history.validity == Validity::kInvalid && history.findings.empty()) {
    all.push_back({"invalid", "a level is violated", "error",
                   history.violated.empty() ? "invalid" : "not " + history.violated});
  }
  if (!history.vacuity.empty()) {
    all.push_back({"vacuous", "too little contention to show anything", "error",
                   "vacuous: " + history.vacuity});
  }
  return all;
}

/// A path as a URI, relative or of a file. Bytes with a meaning in URIs are escaped.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    out += kPlain.find(c) != std::string_view::npos
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

class SarifWriter {
 public:
  explicit SarifWriter(std::span<const CiHistory> histories) : histories_(histories) {
    for (const CiHistory& history : histories) {
      for (const CiFinding& finding : history.findings) {
        rules_.try_emplace(finding.rule, finding.gloss);
      }
      for (const Whole& whole : wholes(history)) {
        rules_.try_emplace(std::string(whole.rule), whole.gloss);
      }
    }
  }

  std::string write(std::string_view version) {
    map();
    text("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    text("version", "2.1.0");
    out_.key("runs").open(Container::kVector);
    map();
    write_tool(version);
    write_results();
    write_invocation();
    text("columnKind", "unicodeCodePoints");
    out_.close();
    out_.close();
    out_.close();
    return std::move(out_).take() + "\n";
  }

 private:
  void map() { out_.open(Container::kMap, 1); }

  void text(std::string_view key, std::string_view value) { out_.key(key).string(visible(value)); }

  void message(std::string_view key, std::string_view value) {
    out_.key(key).open(Container::kMap);
    text("text", value);
    out_.close();
  }

  void write_tool(std::string_view version) {
    out_.key("tool").open(Container::kMap);
    out_.key("driver").open(Container::kMap);
    text("name", "elapid");
    text("semanticVersion", version);
    out_.key("rules").each_map(rules_, 1, [&](const auto& entry) {
      const auto& [id, gloss] = entry;
      text("id", id);
      message("shortDescription", gloss.empty() ? id : gloss);
    });
    out_.close();
    out_.close();
  }

  void write_place(const CiPlace& place) {
    out_.key("physicalLocation").open(Container::kMap);
    out_.key("artifactLocation").open(Container::kMap);
    text("uri", uri_of(place.file));
    out_.close();
    if (place.line > 0) {
      out_.key("region").open(Container::kMap);
      out_.key("startLine").integer(place.line);
      out_.close();
    }
    out_.close();
  }

  void write_step(const CiStep& step) {
    out_.open(Container::kMap);
    write_place(step.place);
    message("message", step.text);
    out_.close();
  }

  void begin_result(std::string_view rule, std::string_view level, std::string_view said) {
    const auto index = std::distance(rules_.begin(), rules_.find(std::string(rule)));
    map();
    text("ruleId", rule);
    out_.key("ruleIndex").integer(index);
    text("level", level);
    message("message", said);
  }

  void write_locations(std::string_view key, std::span<const CiStep> steps) {
    out_.key(key).each(steps, 1, [&](const CiStep& step) { write_step(step); });
  }

  void write_finding(const CiHistory& history, const CiFinding& finding) {
    const std::string violated = history.violated.empty() ? "" : "not " + history.violated + "\n";
    begin_result(finding.rule, "error",
                 fmt::format("{}: {}{}", history.path, violated, finding.text));
    const CiStep somewhere{.place = history.place, .text = history.path};
    const std::span<const CiStep> steps =
        finding.steps.empty() ? std::span(&somewhere, 1) : std::span(finding.steps);
    write_locations("locations", steps.first(1));
    write_locations("relatedLocations", steps.first(std::min(steps.size(), kMostLocations)));
    out_.key("codeFlows").open(Container::kVector);
    out_.open(Container::kMap);
    out_.key("threadFlows").open(Container::kVector);
    out_.open(Container::kMap);
    out_.key("locations").open(Container::kVector, 1);
    for (const CiStep& step : steps.first(std::min(steps.size(), kMostFlowSteps))) {
      out_.open(Container::kMap);
      out_.key("location");
      write_step(step);
      out_.close();
    }
    for (int open = 0; open < 5; ++open) {
      out_.close();
    }
    out_.key("occurrenceCount").integer(finding.count);
    out_.close();
    dropped_steps_ += steps.size() - std::min(steps.size(), kMostFlowSteps);
  }

  void write_results() {
    out_.key("results").each(histories_, 1, [&](const CiHistory& history) {
      for (const CiFinding& finding : history.findings) {
        if (results_++ < kMostResults) {
          write_finding(history, finding);
        }
      }
      for (const Whole& whole : wholes(history)) {
        if (results_++ < kMostResults) {
          write_whole(history, whole);
        }
      }
    });
  }

  void write_whole(const CiHistory& history, const Whole& whole) {
    begin_result(whole.rule, whole.level, fmt::format("{}: {}", history.path, whole.said));
    const CiStep step{.place = history.place, .text = whole.said};
    write_locations("locations", std::span(&step, 1));
    out_.close();
  }

  void notify(std::string_view level, std::string_view said) {
    out_.open(Container::kMap);
    text("level", level);
    message("message", said);
    out_.close();
  }

  void write_invocation() {
    out_.key("invocations").open(Container::kVector);
    map();
    const bool is_whole = std::ranges::all_of(
        histories_, [](const CiHistory& history) { return history.validity.has_value(); });
    out_.key("executionSuccessful").boolean(is_whole);
    out_.key("toolExecutionNotifications").open(Container::kVector, 1);
    for (const CiHistory& history : histories_) {
      if (!history.validity) {
        notify("error", history.message);
      }
    }
    if (results_ > kMostResults) {
      notify("warning", fmt::format("{} more results are left out", results_ - kMostResults));
    }
    if (dropped_steps_ > 0) {
      notify("warning", fmt::format("{} steps of code flows are left out", dropped_steps_));
    }
    out_.close();
    out_.close();
    out_.close();
  }

  std::span<const CiHistory> histories_;
  std::map<std::string, std::string> rules_ = {};  // name and what it is
  DocumentWriter out_ = DocumentWriter(Syntax::kJson);
  std::size_t results_ = 0;
  std::size_t dropped_steps_ = 0;
};

}  // namespace

std::string to_sarif(std::span<const CiHistory> histories, std::string_view version) {
  return SarifWriter(histories).write(version);
}

}  // namespace elapid
