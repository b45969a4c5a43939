// elapid levels: lists the consistency models, their meanings, and how far they are checked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/levels/separator_report.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/output_format.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/levels/entailment.h"
#include "engine/levels/level_axioms.h"
#include "engine/levels/models.h"

namespace elapid {
namespace {

using NameList = std::vector<std::string_view>;

struct LevelsFlags {
  std::vector<std::string> names = {};
  std::string output = "text";
};

template <class Predicate>
NameList models_where(Predicate holds) {
  NameList names;
  for (const Model model : ModelSet::all()) {
    if (holds(model)) {
      names.push_back(friendly_name(model));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_in(const ModelSet& models, Model model) {
  return models.test(model);
}

ModelSet only(Model model) {
  return ModelSet{model};
}

/// Everything about one model, in the shape in which it is shown.
struct Level {
  explicit Level(Model model)
      : name(friendly_name(model)),
        canonical(canonical_name(model)),
        description(describe(model)),
        axiom(elapid::axiom(model)),
        decided_by(elapid::decided_by(model)),
        is_whole(!is_decided_by_others(model)) {
    for (const auto& [spelling, meant] : all_model_names()) {
      if (meant == model && spelling != name && spelling != canonical) {
        aliases.push_back(spelling);
      }
    }
    const ModelSet weaker = all_implied(only(model));
    const ModelSet stronger = all_impossible(only(model));
    implies = models_where([&](Model other) { return other != model && is_in(weaker, other); });
    implied_by =
        models_where([&](Model other) { return other != model && is_in(stronger, other); });
    const AnomalySet forbidden = prohibited(only(model), {});
    for (const AnomalyType type : forbidden) {
      proscribes.push_back(elapid::name(type));
    }
  }

  std::string_view name;
  std::string_view canonical;
  ModelDescription description;
  std::string axiom;
  std::string_view decided_by;
  bool is_whole;  ///< has a check of its own
  NameList aliases;
  NameList implies;
  NameList implied_by;
  NameList proscribes;
};

std::vector<Level> all_levels() {
  const ModelSet all = ModelSet::all();
  std::vector<Level> levels(all.begin(), all.end());
  std::sort(levels.begin(), levels.end(),
            [](const Level& a, const Level& b) { return a.name < b.name; });
  return levels;
}

std::string table(const std::vector<Level>& levels) {
  std::string out = fmt::format("{:<34} {:<8} {}\n", "LEVEL", "CHECKED", "COMPLETENESS");
  for (const Level& level : levels) {
    out += fmt::format("{:<34} {:<8} {}\n", level.name, level.is_whole ? "yes" : "partly",
                       level.description.completeness);
  }
  out += "\n";
  for (const std::string& note : short_name_notes(kShortNames)) {
    out += note + "\n";
  }
  return out;
}

/// Whether the level counts session order, for a level with a plain form; empty for others.
std::string session_line(const Level& level) {
  const std::optional<Model> plain = plain_form(find_model(level.canonical).value());
  return plain ? fmt::format("counts session order; {} does not", friendly_name(*plain)) : "";
}

std::string names_text(const NameList& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string level_text(const Level& level) {
  const auto line = [](std::string_view label, std::string_view text) {
    return fmt::format("  {:<14}{}\n", label, text);
  };
  return fmt::format("{}\n", level.name) + line("canonical", level.canonical) +
         line("aliases", names_text(level.aliases)) +
         line("definition", level.description.definition) +
         line("source", level.description.source) +
         (level.axiom.empty() ? "" : line("axiom", level.axiom)) +
         (session_line(level).empty() ? "" : line("sessions", session_line(level))) +
         line("checked", level.is_whole ? "yes" : "partly") +
         line("completeness", level.description.completeness) +
         line("decided by", level.decided_by) + line("implies", names_text(level.implies)) +
         line("implied by", names_text(level.implied_by)) +
         line("proscribes", names_text(level.proscribes));
}

void write_names(DocumentWriter& out, std::string_view key, const NameList& names) {
  out.key(key).each(names, [&](std::string_view name) { out.keyword(name); });
}

void write_level(DocumentWriter& out, const Level& level) {
  out.open(Container::kMap);
  out.key("name").keyword(level.name);
  out.key("canonical").keyword(level.canonical);
  write_names(out, "aliases", level.aliases);
  out.key("definition").string(level.description.definition);
  out.key("source").string(level.description.source);
  if (!level.axiom.empty()) {
    out.key("axiom").string(level.axiom);
  }
  out.key("checked").keyword(level.is_whole ? "yes" : "partly");
  out.key("completeness").string(level.description.completeness);
  out.key("decided-by").string(level.decided_by);
  write_names(out, "implies", level.implies);
  write_names(out, "implied-by", level.implied_by);
  write_names(out, "proscribes", level.proscribes);
  out.close();
}

std::string one_level(Model model, OutputFormat format) {
  if (format == OutputFormat::kText) {
    return level_text(Level(model));
  }
  DocumentWriter out(syntax_of(format));
  write_level(out, Level(model));
  return std::move(out).take() + "\n";
}

std::string every_level(OutputFormat format) {
  if (format == OutputFormat::kText) {
    return table(all_levels());
  }
  DocumentWriter out(syntax_of(format));
  out.each(all_levels(), 1, [&](const Level& level) { write_level(out, level); });
  return std::move(out).take() + "\n";
}

/// Whether no model lies between a model and a weaker one.
bool is_next(Model strong, Model weak) {
  const ModelSet between = all_implied(only(strong)) & all_impossible(only(weak));
  return strong != weak && between == (only(strong) | only(weak));
}

/// The lattice for Graphviz, stronger models above. Models that others decide are dashed.
std::string lattice() {
  std::string out = "digraph levels {\n  node [shape=box, fontname=\"sans-serif\", fontsize=11]\n";
  for (const Model model : ModelSet::all()) {
    const std::string_view style = is_decided_by_others(model)      ? "dashed"
                                   : is_in(models_of_elle(), model) ? "solid"
                                                                    : "bold";
    out += fmt::format("  \"{}\" [style={}]\n", friendly_name(model), style);
  }
  for (const Model strong : ModelSet::all()) {
    for (const Model weak : ModelSet::all()) {
      if (is_next(strong, weak)) {
        out += fmt::format("  \"{}\" -> \"{}\"\n", friendly_name(strong), friendly_name(weak));
      }
    }
  }
  return out + "}\n";
}

Result<ExitCode> run_levels(const LevelsFlags& flags) {
  std::vector<Model> models;
  for (const std::string& name : flags.names) {
    ELAPID_ASSIGN_OR_RETURN(const Model model, parse_model(name));
    models.push_back(model);
  }
  if (models.size() > 2) {
    return usage_error("expected at most two levels, found " + std::to_string(models.size()) +
                       " (see elapid levels --help)");
  }
  if (models.size() == 2) {
    return print_separator(models[0], models[1], flags.output);
  }
  if (flags.output == "svg") {
    return usage_error("-o svg draws what separates two levels; -o dot draws all");
  }
  if (flags.output == "dot") {
    print_text(lattice());
    return ExitCode::kOk;
  }
  const OutputFormat format = output_format(flags.output);
  print_text(models.empty() ? every_level(format) : one_level(models.front(), format));
  return ExitCode::kOk;
}

}  // namespace

Command levels_command() {
  const auto flags = std::make_shared<LevelsFlags>();
  Command command = {.name = "levels",
                     .about = "Consistency models: meaning, source, relations",
                     .run = [flags] { return run_levels(*flags); }};
  command.options
      .argument("NAME", flags->names,
                "One level in full; two: a smallest history that the first allows and the second "
                "forbids; none: a table of all")
      .proposes(level_words());
  command.options
      .value("-o,--output", "FORM", flags->output,
             "text (default), edn, json; dot: a picture of all; svg: of what separates two")
      .one_of({"text", "edn", "json", "dot", "svg"});
  return command;
}

}  // namespace elapid
