#include "adapter/report/forms/report_json.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "adapter/elle/verdict_view.h"
#include "engine/levels/models.h"

namespace elapid {
namespace {

void write_strings(const std::vector<std::string>& texts, DocumentWriter& out) {
  out.strings(texts);
}

void write_left_out(std::string_view key, std::size_t count, DocumentWriter& out) {
  if (count > 0) {
    out.key(key).integer(count);
  }
}

void write_actor(const ReportActor& actor, DocumentWriter& out) {
  out.open(Container::kMap);
  out.key("label").string(actor.label);
  out.key("file").string(actor.file);
  if (actor.line > 0) {
    out.key("line").integer(actor.line);
  }
  if (!actor.place.empty()) {
    out.key("place").string(actor.place);
  }
  out.key("session").string(actor.session);
  out.key("status").string(actor.status);
  out.key("text").string(actor.text);
  out.close();
}

void write_finding(const ReportFinding& finding, DocumentWriter& out) {
  out.open(Container::kMap, 3);
  out.key("name").string(finding.name);
  out.key("gloss").string(finding.gloss);
  out.key("count").integer(finding.count);
  if (finding.is_doubtful) {
    out.key("doubtful").boolean(true);
  }
  write_strings(finding.keys, out.key("keys"));
  out.key("transactions").each(finding.actors, [&](const ReportActor& actor) {
    write_actor(actor, out);
  });
  write_left_out("transactions-left-out", finding.actors_left_out, out);
  out.key("rules-out").strings(sorted_names(finding.rules_out));
  out.key("followers").each(finding.followers, [&](const ReportFollower& follower) {
    out.string(follower.name);
  });
  out.close();
}

std::string_view word_of(LevelState state) {
  constexpr std::array<std::string_view, 5> kWords = {"holds", "not-refuted", "violated", "unknown",
                                                      "unknown"};
  return kWords.at(static_cast<std::size_t>(state));
}

void write_level(const ReportLevel& level, DocumentWriter& out) {
  out.open(Container::kMap);
  out.key("level").string(friendly_name(level.model));
  out.key("state").string(word_of(level.state));
  if (!level.because.empty()) {
    out.key("because").string(level.because);
  }
  out.close();
}

}  // namespace

std::string report_json(const ReportModel& report) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap, 1);
  out.key("headline").string(report.headline);
  out.key("levels").each(report.levels, 2, [&](const ReportLevel& level) {
    if (level.state != LevelState::kOpen) {
      write_level(level, out);
    }
  });
  out.key("findings").each(report.findings, 2, [&](const ReportFinding& finding) {
    write_finding(finding, out);
  });
  write_left_out("findings-left-out", report.findings_left_out, out);
  out.close();
  return std::move(out).take();
}

}  // namespace elapid
