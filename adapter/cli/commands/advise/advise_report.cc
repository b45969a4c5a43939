#include "adapter/cli/commands/advise/advise_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "harness/advise/counterexample_story.h"
#include "harness/story/story_text.h"

namespace elapid {
namespace {

using advise::Advice;
using advise::Interleaving;
using advise::InterleavingStep;
using advise::Level;
using advise::Promotion;

/// Of more programs, those at the lowest level are counted and not listed.
constexpr std::size_t kMostRows = 20;

std::string shown_program(const AdviseAnswer& answer, std::size_t program) {
  return visible_line(answer.application.programs[program]);
}

std::string unit(const AdviseAnswer& answer, std::size_t n) {
  return fmt::format("{} {}{}", with_commas(n),
                     answer.application.is_once ? "transaction" : "program", n == 1 ? "" : "s");
}

std::string offered_text(const AdviseAnswer& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.offered.size(); ++i) {
    text += fmt::format("{}{}",
                        i == 0                           ? ""
                        : i + 1 == answer.offered.size() ? " and "
                                                         : ", ",
                        level_text(answer.offered[i]));
  }
  return text;
}

std::string headline(const AdviseAnswer& answer) {
  const std::string_view whose =
      answer.application.is_once ? ", each once" : ", any number of instances";
  std::string text =
      fmt::format("{}: {}{}, on {}{}{}\n", visible_line(answer.path),
                  unit(answer, answer.application.programs.size()), whose, answer.database->shown,
                  answer.database->note.empty() ? "" : " ", answer.database->note);
  if (answer.left_out > 0) {
    text += fmt::format("Left out, since not known to have committed: {}\n",
                        unit(answer, answer.left_out));
  }
  return text;
}

/// A level's name in the table, with the database's words for it.
std::string level_cell(const AdviseAnswer& answer, Level level) {
  return fmt::format("{:<20}{}", level_text(level), answer.database->words_of(level));
}

std::string table(const AdviseAnswer& answer) {
  const std::vector<Level> levels = answer.advice.levels();
  const bool is_long = levels.size() > kMostRows;
  std::string text;
  std::size_t width = 0;
  std::size_t lowest = 0;
  for (std::size_t p = 0; p < levels.size(); ++p) {
    const bool is_lowest = levels[p] == answer.offered.front();
    lowest += is_lowest ? 1 : 0;
    width = is_lowest && is_long ? width : std::max(width, shown_program(answer, p).size());
  }
  width = std::min<std::size_t>(width, 70);
  for (std::size_t p = 0; p < levels.size(); ++p) {
    if (levels[p] != answer.offered.front() || !is_long) {
      text += fmt::format("  {:<{}}  {}\n", shown_program(answer, p), width,
                          level_cell(answer, levels[p]));
    }
  }
  if (is_long && lowest > 0) {
    text += fmt::format("  {:<{}}  {}\n",
                        lowest == levels.size() ? fmt::format("all {}", with_commas(lowest))
                                                : fmt::format("the other {}", with_commas(lowest)),
                        width, level_cell(answer, answer.offered.front()));
  }
  return text;
}

std::string promotions_text(const AdviseAnswer& answer) {
  if (!answer.promotions) {
    return "\nPromotions of reads were not looked for: there are too many\n";
  }
  if (answer.promotions->empty()) {
    return "";
  }
  const std::vector<Level> before = answer.advice.levels();
  std::string text = "\nPromoting a read, so that it writes the row too, unchanged:\n";
  for (const Promotion& promotion : *answer.promotions) {
    for (std::size_t i = 0; i < promotion.reads.size(); ++i) {
      text += fmt::format(
          "  {}{} of {}, by {}\n", i == 0 ? "" : "with ",
          visible_line(answer.read_text(promotion.reads[i])),
          shown_program(answer, promotion.reads[i].program),
          promotion.needs_update[i] ? "an UPDATE that changes nothing" : "SELECT ... FOR UPDATE");
    }
    for (std::size_t p = 0; p < before.size(); ++p) {
      if (!answer.advice.is_robust) {
        text +=
            fmt::format("    {}: {}\n", shown_program(answer, p), level_text(promotion.levels[p]));
      } else if (promotion.levels[p] != before[p]) {
        text += fmt::format("    {}: {} instead of {}\n", shown_program(answer, p),
                            level_text(promotion.levels[p]), level_text(before[p]));
      }
    }
  }
  return text;
}

/// The text of a story, indented.
std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    result += line.empty() ? "\n" : "  " + line + "\n";
    begin = end + 1;
  }
  return result;
}

class AdviceMap {
 public:
  AdviceMap(const AdviseAnswer& answer, const std::vector<ToldCounterexample>& told, Syntax syntax)
      : answer_(answer), told_(told), out_(syntax) {}

  std::string write() && {
    out_.open(Container::kMap, 1);
    const bool is_unknown = !answer_.unknown_because.empty();
    out_.key("advice").keyword(is_unknown                 ? "unknown"
                               : answer_.advice.is_robust ? "robust"
                                                          : "none");
    out_.key("database").string(answer_.database->shown);
    out_.key("levels").each(answer_.offered, [&](Level level) { write_level(level); });
    if (is_unknown) {
      out_.key("reason").string(answer_.unknown_because);
    } else {
      write_programs();
      write_promotions();
    }
    out_.key("left-out").integer(answer_.left_out);
    out_.close();
    return std::move(out_).take() + "\n";
  }

 private:
  void write_level(Level level) {
    std::string name(level_text(level));
    std::ranges::replace(name, ' ', '-');
    out_.keyword(name);
  }

  void write_programs() {
    out_.key("programs").open(Container::kVector, 2);
    auto told = told_.begin();
    for (std::size_t p = 0; p < answer_.advice.programs.size(); ++p) {
      out_.open(Container::kMap);
      out_.key("name").string(answer_.application.programs[p]);
      if (answer_.advice.is_robust) {
        out_.key("level");
        write_level(answer_.advice.programs[p].level);
        out_.key("sql").string(answer_.database->words_of(answer_.advice.programs[p].level));
      }
      if (told != told_.end() && told->program == p) {
        out_.key("counterexample");
        write_counterexample(*told++);
      }
      out_.close();
    }
    out_.close();
  }

  void write_counterexample(const ToldCounterexample& told) {
    const Interleaving& interleaving = told.interleaving;
    out_.open(Container::kMap);
    out_.key("transactions").open(Container::kVector);
    for (std::size_t i = 0; i < interleaving.transactions.size(); ++i) {
      out_.open(Container::kMap);
      out_.key("name").string(transaction(interleaving.transactions[i]).name);
      out_.key("level");
      write_level(interleaving.levels[i]);
      out_.close();
    }
    out_.close();
    out_.key("steps").each(interleaving.steps,
                           [&](const InterleavingStep& step) { write_step(interleaving, step); });
    out_.key("finally");
    write_found(interleaving.finally);
    out_.key("cycle").each(interleaving.edges, [&](const advise::InterleavingEdge& edge) {
      out_.open(Container::kVector);
      out_.integer(static_cast<std::int64_t>(edge.from + 1));
      out_.keyword(edge.relation);
      out_.form(answer_.application.items[edge.item]);
      out_.integer(static_cast<std::int64_t>(edge.to + 1));
      out_.close();
    });
    out_.close();
  }

  void write_step(const Interleaving& interleaving, const InterleavingStep& step) {
    out_.open(Container::kMap);
    out_.key("transaction").integer(static_cast<std::int64_t>(step.participant + 1));
    if (step.operation) {
      const advise::Operation& operation =
          transaction(interleaving.transactions[step.participant]).operations[*step.operation];
      out_.key("reads");
      write_found(step.found);
      out_.key("writes").each(operation.writes, [&](advise::ItemId item) {
        out_.form(answer_.application.items[item]);
      });
    } else {
      out_.key("commits").boolean(true);
    }
    out_.close();
  }

  void write_found(const std::vector<advise::FoundItem>& found) {
    out_.each(found, [&](const auto& entry) {
      const auto& [item, writers] = entry;
      out_.open(Container::kVector);
      out_.form(answer_.application.items[item]);
      out_.each(writers,
                [&](std::size_t writer) { out_.integer(static_cast<std::int64_t>(writer + 1)); });
      out_.close();
    });
  }

  void write_promotions() {
    out_.key("promotions");
    if (!answer_.promotions) {
      out_.nil();
      return;
    }
    out_.each_map(*answer_.promotions, 2, [&](const Promotion& promotion) {
      out_.key("reads").open(Container::kVector);
      for (std::size_t i = 0; i < promotion.reads.size(); ++i) {
        out_.open(Container::kMap);
        out_.key("program").string(answer_.application.programs[promotion.reads[i].program]);
        out_.key("read").string(answer_.read_text(promotion.reads[i]));
        out_.key("needs-update").boolean(promotion.needs_update[i]);
        out_.close();
      }
      out_.close();
      out_.key("levels").each(promotion.levels, [&](Level level) { write_level(level); });
    });
  }

  [[nodiscard]] const advise::Transaction& transaction(std::uint32_t number) const {
    return answer_.application.transactions[number];
  }

  const AdviseAnswer& answer_;
  const std::vector<ToldCounterexample>& told_;
  DocumentWriter out_;
};

}  // namespace

std::vector<ToldCounterexample> counterexamples(const AdviseAnswer& answer) {
  std::vector<ToldCounterexample> told;
  for (std::uint32_t p = 0; p < answer.advice.programs.size(); ++p) {
    if (const auto& reason = answer.advice.programs[p].reason) {
      told.push_back({.program = p,
                      .lower = reason->levels[p],
                      .interleaving = carry_out(answer.application, *reason)});
    }
  }
  return told;
}

std::string title_of(const AdviseAnswer& answer, const ToldCounterexample& told) {
  return fmt::format("{} at {}: this interleaving is not serializable",
                     shown_program(answer, told.program), level_text(told.lower));
}

std::string advice_text(const AdviseAnswer& answer, const std::vector<ToldCounterexample>& told,
                        std::size_t stories) {
  if (!answer.unknown_because.empty()) {
    return fmt::format("{}: unknown: {}\n", visible_line(answer.path),
                       visible_line(answer.unknown_because));
  }
  std::string text = headline(answer);
  text +=
      answer.advice.is_robust
          ? "The lowest levels at which every interleaving is serializable:\n\n" + table(answer)
          : fmt::format("There are none at which every interleaving is serializable, among {}\n",
                        offered_text(answer));
  for (std::size_t i = 0; i < std::min(stories, told.size()); ++i) {
    text += "\n" + indented(to_text(tell_counterexample(answer.application, told[i].interleaving,
                                                        title_of(answer, told[i]))));
  }
  if (told.size() > stories) {
    text += fmt::format("\nMore counterexamples, not told: {} (--stories)\n",
                        with_commas(told.size() - stories));
  }
  return text + promotions_text(answer);
}

std::string advice_map(const AdviseAnswer& answer, const std::vector<ToldCounterexample>& told,
                       Syntax syntax) {
  return AdviceMap(answer, told, syntax).write();
}

std::string advice_sql(const AdviseAnswer& answer) {
  std::string text;
  for (std::size_t p = 0; p < answer.advice.programs.size(); ++p) {
    text += fmt::format("-- {}\nSET TRANSACTION ISOLATION LEVEL {};\n", shown_program(answer, p),
                        answer.database->words_of(answer.advice.programs[p].level));
  }
  return text;
}

}  // namespace elapid
