#include "adapter/cli/reports/ci/ci_histories.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "adapter/elle/elision.h"
#include "adapter/elle/verdict_view.h"
#include "adapter/source/source_words.h"
#include "engine/evidence/describe.h"
#include "harness/story/claim_text.h"

namespace elapid {

namespace {

/// The place of the first actor in the phrase.
std::optional<std::size_t> first_actor(const Phrase& phrase) {
  for (const Part& part : phrase) {
    if (const auto* actor = std::get_if<ActorPart>(&part.content)) {
      return actor->actor;
    }
  }
  return std::nullopt;
}

/// Converts the findings of one history.
class Teller {
 public:
  Teller(LoadedHistory& loaded, const Verdict& verdict, std::string_view clock_skew)
      : history_(loaded.history()),
        words_(loaded),
        options_(with_source(loaded, verdict, {.clock_skew = clock_skew}, words_)) {}

  CiFinding tell(const Finding& finding) {
    const Description& description = finding.description;
    CiFinding told{.rule = description.name,
                   .gloss = description.gloss,
                   .text = to_text(history_, finding, options_),
                   .count = finding.count};
    for (std::size_t i = 0; i < description.actors.size(); ++i) {
      const Actor& actor = description.actors[i];
      told.steps.push_back({place(actor), fmt::format("T{} = {}", i + 1,
                                                      elided_event(history_, actor.event,
                                                                   options_.fields, actor.focus))});
    }
    const std::vector<std::string> claims = claim_lines(
        history_, description, [&](TxnId txn) { return label(description.actors, txn); });
    const CiPlace anywhere = told.steps.empty() ? CiPlace() : told.steps.front().place;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      // Some lines between claims tell steps. Actors are known only if every line is a claim.
      const bool is_claim = claims.size() == description.claims.size();
      const std::optional<std::size_t> actor =
          is_claim ? first_actor(description.claims[i].says) : std::nullopt;
      told.steps.push_back({actor ? place(description.actors.at(*actor)) : anywhere, claims[i]});
    }
    return told;
  }

 private:
  CiPlace place(const Actor& actor) {
    const auto [txn, kind] = actor.event;
    return {words_.file(txn, kind), words_.line(txn, kind)};
  }

  static std::string label(const std::vector<Actor>& actors, TxnId txn) {
    const auto found =
        std::ranges::find(actors, txn, [](const Actor& actor) { return actor.event.txn; });
    return found == actors.end() ? fmt::format("transaction {}", txn.index())
                                 : fmt::format("T{}", found - actors.begin() + 1);
  }

  const History& history_;
  SourceWords words_;
  TextOptions options_;
};

}  // namespace

CiHistory ci_history(const std::string& path, LoadedHistory& loaded, const Verdict& verdict,
                     std::string_view clock_skew) {
  CiHistory told{.path = label_of(path, loaded),
                 .validity = verdict.validity,
                 .levels = verdict.checked.none() ? "" : demanded_text(verdict),
                 .message = verdict.elle_error.value_or(verdict.unknown_because.value_or(""))};
  if (verdict.validity != Validity::kValid) {
    Teller teller(loaded, verdict, clock_skew);
    for (const Finding& finding : findings(loaded.history(), verdict)) {
      if (!finding.is_doubtful) {
        told.findings.push_back(teller.tell(finding));
      }
    }
  }
  return told;
}

void add_verdict(CiHistory verdict, CiHistory& to) {
  const auto gravity = [](const std::optional<Validity>& validity) {
    return !validity                         ? 0
           : *validity == Validity::kValid   ? 1
           : *validity == Validity::kUnknown ? 2
                                             : 3;
  };
  const bool is_as_grave = gravity(verdict.validity) == gravity(to.validity);
  for (CiFinding& finding : verdict.findings) {
    const bool is_known = std::ranges::any_of(
        to.findings, [&](const CiFinding& known) { return known.rule == finding.rule; });
    if (!is_known) {
      to.findings.push_back(std::move(finding));
    }
  }
  if (is_as_grave) {
    to.levels += ", " + verdict.levels;
  } else if (gravity(verdict.validity) > gravity(to.validity)) {
    to.levels = std::move(verdict.levels);
    to.message = std::move(verdict.message);
    to.validity = verdict.validity;
  }
}

CiHistory ci_failure(const std::string& path, const Error& error) {
  return {.path = path, .message = error.to_string(), .place = {.file = path}};
}

}  // namespace elapid
