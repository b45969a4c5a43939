#include "adapter/cli/reports/ci/ci_histories.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  Teller(const CiPlace& input, LoadedHistory& loaded, const Verdict& verdict,
         std::string_view clock_skew)
      : input_(input),
        history_(loaded.history()),
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
    const CiPlace anywhere = told.steps.empty() ? input_ : told.steps.front().place;
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

  const CiPlace& input_;
  const History& history_;
  SourceWords words_;
  TextOptions options_;
};

/// The violated levels; those of all transactions, if each asked for its own.
std::string violated_text(const Verdict& verdict) {
  return is_mix(verdict) && validity_of_claims(verdict) == Validity::kInvalid
             ? demanded_text(verdict)
             : fmt::format("{}", fmt::join(sorted_names(refused_levels(verdict)), ", "));
}

int gravity(const CiHistory& history) {
  return !history.validity                         ? 2
         : *history.validity == Validity::kValid   ? 0
         : *history.validity == Validity::kUnknown ? 1
                                                   : 3;
}

/// Adds names to a list.
void join(const std::string& names, std::string& to) {
  to += to.empty() || names.empty() ? names : ", " + names;
}

}  // namespace

CiHistory ci_history(const std::string& path, LoadedHistory& loaded, const Verdict& verdict,
                     std::string_view clock_skew) {
  CiHistory told{.path = label_of(path, loaded),
                 .validity = verdict.validity,
                 .levels = verdict.checked.none() ? "" : demanded_text(verdict),
                 .message = verdict.elle_error.value_or(verdict.unknown_because.value_or("")),
                 .place = {.file = path}};
  if (verdict.validity == Validity::kInvalid) {
    told.violated = violated_text(verdict);
    Teller teller(told.place, loaded, verdict, clock_skew);
    for (const Finding& finding : findings(loaded.history(), verdict)) {
      if (!finding.is_doubtful) {
        told.findings.push_back(teller.tell(finding));
      }
    }
  }
  return told;
}

void add_verdict(CiHistory verdict, CiHistory& to) {
  if (gravity(verdict) > gravity(to)) {
    to = std::move(verdict);
  } else if (gravity(verdict) == gravity(to)) {
    join(verdict.levels, to.levels);
    join(verdict.violated, to.violated);
    for (CiFinding& finding : verdict.findings) {
      if (std::ranges::find(to.findings, finding.rule, &CiFinding::rule) == to.findings.end()) {
        to.findings.push_back(std::move(finding));
      }
    }
  }
}

CiHistory ci_failure(const std::string& path, const Error& error) {
  return {.path = path, .message = error.to_string(), .place = {.file = path}};
}

}  // namespace elapid
