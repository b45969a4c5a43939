#include "harness/advise/counterexample_story.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <vector>

#include "engine/ir/visible.h"

namespace elapid {
namespace {

using advise::Application;
using advise::FoundItem;
using advise::Interleaving;
using advise::InterleavingStep;
using advise::ItemId;
using advise::Level;
using advise::Operation;

/// PostgreSQL's names of the levels.
constexpr std::array<std::string_view, advise::kLevelCount> kPostgresWords = {
    "read committed", "repeatable read", "serializable"};

/// A serializable T1 must not appear to read rows that it does not read.
constexpr std::string_view kRowsOnPagesOfTheirOwn =
    "; PostgreSQL's SSI locks a whole page where more than two of its rows were read: a row a "
    "page.\n"
    "prepare postgres: alter table elapid_keys add column pad char(1500) default ''\n"
    "prepare postgres: alter table elapid_keys set (fillfactor = 20)\n";

std::string label(std::size_t participant) {
  return fmt::format("T{}", participant + 1);
}

/// Participants are named by their numbers from 1.
std::string list_of(const std::vector<std::size_t>& participants) {
  std::string list = "[";
  for (const std::size_t participant : participants) {
    list += fmt::format("{}{}", list.size() == 1 ? "" : " ", participant + 1);
  }
  return list + "]";
}

/// A keyword without its colon.
std::string shown(const Application& application, ItemId item) {
  const std::string& name = application.items[item];
  return visible_line(name.starts_with(':') ? name.substr(1) : name);
}

const Operation* operation_of(const Application& application, const Interleaving& interleaving,
                              const InterleavingStep& step) {
  return step.operation ? &application.transactions[interleaving.transactions[step.participant]]
                               .operations[*step.operation]
                        : nullptr;
}

std::string step_text(const Application& application, const InterleavingStep& step,
                      const Operation* operation) {
  if (operation == nullptr) {
    return "commit";
  }
  std::string text;
  for (const auto& [item, writers] : step.found) {
    text += fmt::format("{}read {} = {}", text.empty() ? "" : ", ", shown(application, item),
                        list_of(writers));
  }
  for (const ItemId item : operation->writes) {
    text += fmt::format("{}append {} to {}", text.empty() ? "" : ", ", step.participant + 1,
                        shown(application, item));
  }
  return text;
}

std::string claim(const Application& application, const advise::InterleavingEdge& edge) {
  const std::string from = label(edge.from);
  const std::string to = label(edge.to);
  const std::string item = shown(application, edge.item);
  return edge.relation == "rw" ? fmt::format("{} read {} without the write of {}.", from, item, to)
         : edge.relation == "wr" ? fmt::format("{} read {} with the write of {}.", to, item, from)
                                 : fmt::format("{} wrote {} before {} did.", from, item, to);
}

std::string title_of(const Application& application, const Interleaving& interleaving,
                     std::size_t participant) {
  return visible_line(application.transactions[interleaving.transactions[participant]].name);
}

}  // namespace

std::string_view level_text(Level level) {
  constexpr std::array<std::string_view, advise::kLevelCount> kTexts = {
      "read committed", "snapshot isolation", "serializable"};
  return kTexts[static_cast<std::size_t>(level)];
}

ToldStory tell_counterexample(const Application& application, const Interleaving& interleaving,
                              const std::string& title) {
  const std::size_t count = interleaving.transactions.size();
  ToldStory story = {.title = title};
  std::size_t operations = 0;
  for (std::size_t i = 0; i < count; ++i) {
    story.columns.push_back({label(i) + " " + title_of(application, interleaving, i)});
    story.txns.push_back({.label = label(i), .column = i});
    story.levels +=
        fmt::format("{}{} at {}", i == 0 ? "" : ", ", label(i), level_text(interleaving.levels[i]));
  }
  for (const InterleavingStep& step : interleaving.steps) {
    if (step.operation) {
      ++operations;
    }
    story.steps.push_back(
        {.moment = {.kind = step.operation ? StoryMoment::Kind::kOp : StoryMoment::Kind::kEnd},
         .column = step.participant,
         .txn = step.participant,
         .text = step_text(application, step, operation_of(application, interleaving, step)),
         .number = story.steps.size() + 1});
  }
  story.size = fmt::format("{} transactions, {} operations", count, operations);
  for (const advise::InterleavingEdge& edge : interleaving.edges) {
    story.edges.push_back({.from = edge.from,
                           .to = edge.to,
                           .relation = std::string(edge.relation),
                           .key = shown(application, edge.item)});
    story.claims.push_back(claim(application, edge));
  }
  std::string finally = "A reader at the end finds ";
  for (const auto& [item, writers] : interleaving.finally) {
    finally += fmt::format("{}{} = {}", &item == &interleaving.finally.front().first ? "" : ", ",
                           shown(application, item), list_of(writers));
  }
  story.claims.push_back(finally + ".");
  return story;
}

std::string counterexample_scenario(const Application& application,
                                    const Interleaving& interleaving, const std::string& about) {
  std::string text = fmt::format("about  {}\n", visible_line(about));
  for (std::size_t i = 0; i < interleaving.transactions.size(); ++i) {
    text += fmt::format("; {} is {}\n", label(i), title_of(application, interleaving, i));
    text += fmt::format(
        "set postgres {}: set session characteristics as transaction isolation level {}\n",
        label(i), kPostgresWords[static_cast<std::size_t>(interleaving.levels[i])]);
  }
  if (interleaving.levels.front() == Level::kSerializable) {
    text += kRowsOnPagesOfTheirOwn;
  }
  text += "\n";
  for (const InterleavingStep& step : interleaving.steps) {
    std::string done;
    std::string found;
    if (const Operation* operation = operation_of(application, interleaving, step)) {
      for (const auto& [item, writers] : step.found) {
        done += fmt::format(" [:r {}]", application.items[item]);
        found += (found.empty() ? "found " : " and ") + list_of(writers);
      }
      for (const ItemId item : operation->writes) {
        done += fmt::format(" [:append {} {}]", application.items[item], step.participant + 1);
      }
    }
    const std::string line =
        fmt::format("{}:{}", label(step.participant), step.operation ? done : " commit");
    text += found.empty() ? line + "\n" : fmt::format("{:<36} ; {}\n", line, found);
  }
  std::string reads;
  for (const auto& [item, writers] : interleaving.finally) {
    reads += fmt::format(" [:r {}]", application.items[item]);
  }
  text += fmt::format("reader:{}\nreader: commit\n\n", reads);
  return text + "expect postgres: not serializable, all commit\n";
}

}  // namespace elapid
