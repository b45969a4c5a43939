#include "adapter/elle/paragraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "adapter/elle/step_text.h"

namespace elapid {
namespace {

// A longer walk shows its beginning and its end only.
constexpr std::size_t kMaxSteps = 16;
constexpr std::size_t kStepsBeforeGap = 7;
constexpr std::size_t kStepsAfterGap = 4;

/// Names the transactions of a walk T1, T2, ... in its order, and keeps what is said of each.
class WalkCast {
 public:
  explicit WalkCast(const ParagraphOptions& options) : options_(options) {}

  void number(TxnId txn) { numbers_.try_emplace(txn, numbers_.size() + 1); }

  std::string name(TxnId txn) const {
    return emphasised(fmt::format("T{}", numbers_.at(txn)), options_);
  }

  void mention(const History& history, TxnId txn, std::int32_t mop, ValueId element) {
    const auto [place, is_new] = places_.try_emplace(txn, actors_.size());
    if (is_new) {
      actors_.push_back({.name = name(txn), .event = representative_ref(history, txn)});
    }
    if (mop >= 0) {
      actors_[place->second].focus.push_back({static_cast<std::uint32_t>(mop), element});
    }
  }

  void mention(const History& history, const Step& step) {
    const bool reads = step.relation == Relation::kWr;
    mention(history, step.from, step.from_mop, step.value);
    mention(history, step.to, step.to_mop, reads ? step.value : step.value_after);
  }

  void leave_out(std::size_t count) {
    actors_.push_back({.name = fmt::format("… {} more transactions …", count)});
  }

  std::vector<Actor> take() && { return std::move(actors_); }

 private:
  const ParagraphOptions& options_;
  std::unordered_map<TxnId, std::size_t> numbers_;
  std::unordered_map<TxnId, std::size_t> places_;
  std::vector<Actor> actors_;
};

std::string actor_text(const History& history, const Actor& actor,
                       const ParagraphOptions& options) {
  if (actor.event.txn.is_none()) {
    return actor.name;
  }
  std::string text = actor.name + " = ";
  if (options.place) {
    text += options.place(actor.event.txn, actor.event.kind) + " ";
  }
  if (!options.full) {
    return text + elided_event(history, actor.event, options.fields, actor.focus);
  }
  DocumentWriter out(Syntax::kEdn);
  write_event(out, history, actor.event, options.fields);
  return text + std::move(out).take();
}

}  // namespace

std::string emphasised(std::string text, const ParagraphOptions& options) {
  return options.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

Paragraph cycle_paragraph(const History& history, const std::vector<Step>& steps,
                          const ParagraphOptions& options) {
  WalkCast cast(options);
  for (const Step& step : steps) {
    cast.number(step.from);
    cast.number(step.to);
  }
  std::vector<std::string> claims;
  const auto tell = [&](std::size_t i) {
    const std::string a = cast.name(steps[i].from);
    const std::string b = cast.name(steps[i].to);
    const std::string reason = step_reason(history, steps[i], a, b);
    cast.mention(history, steps[i]);
    claims.push_back(
        i + 1 < steps.size()
            ? fmt::format("{} < {}, because {}.", a, b, reason)
            : fmt::format("However, {} < {}, because {}: a contradiction!", a, b, reason));
  };
  const bool whole = options.full || steps.size() <= kMaxSteps;
  const std::size_t gap_begin = whole ? steps.size() : kStepsBeforeGap;
  const std::size_t gap_end = whole ? steps.size() : steps.size() - kStepsAfterGap;
  for (std::size_t i = 0; i < gap_begin; ++i) {
    tell(i);
  }
  if (gap_begin < gap_end) {
    cast.leave_out(gap_end - gap_begin - 1);
    claims.push_back(fmt::format("… {} more steps …", gap_end - gap_begin));
  }
  for (std::size_t i = gap_end; i < steps.size(); ++i) {
    tell(i);
  }
  return {.actors = std::move(cast).take(), .claims = std::move(claims)};
}

std::string to_text(const History& history, const Paragraph& paragraph,
                    const ParagraphOptions& options) {
  std::string text;
  if (!paragraph.actors.empty()) {
    text += "Let:\n";
    for (const Actor& actor : paragraph.actors) {
      text += "  " + actor_text(history, actor, options) + "\n";
    }
    text += "\nThen:\n";
  }
  for (const std::string& claim : paragraph.claims) {
    text += "  - " + claim + "\n";
  }
  if (!text.empty()) {
    text.pop_back();
  }
  return text;
}

}  // namespace elapid
