#include "adapter/report/finding_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "adapter/elle/elision.h"
#include "adapter/report/actor_keys.h"
#include "adapter/report/claim_anchors.h"
#include "adapter/report/level_states.h"
#include "engine/ir/utf8.h"
#include "engine/levels/ladder.h"

namespace elapid {
namespace {

constexpr std::size_t kItemsInSeries = 8;

/// Makes the sentences of one finding's claims.
class ProofTeller {
 public:
  ProofTeller(const History& history, const TextOptions& options, const ReportLimits& limits,
              const std::string& finding, const std::vector<Actor>& actors,
              std::size_t& whole_bytes_left)
      : history_(history),
        options_(options),
        limits_(limits),
        finding_(finding),
        actors_(actors),
        whole_bytes_left_(whole_bytes_left),
        anchors_(finding) {}

  /// Every claim has an anchor, even if it is left out: anchors do not depend on limits.
  std::vector<ReportSentence> tell(const std::vector<Claim>& claims) {
    const std::size_t most = std::max<std::size_t>(limits_.sentences, 2);
    const bool is_whole = claims.size() <= most;
    const std::size_t gap_begin = is_whole ? claims.size() : most * 2 / 3;
    const std::size_t gap_end = is_whole ? claims.size() : claims.size() - most / 3;
    std::vector<ReportSentence> told;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (gap_begin <= i && i < gap_end) {
        pass_over(claims[i]);
        continue;
      }
      told.push_back(sentence(claims[i]));
      told.back().left_out = i + 1 == gap_begin ? gap_end - gap_begin : 0;
    }
    return told;
  }

 private:
  ReportSentence sentence(const Claim& claim) {
    ReportSentence told{.anchor = anchors_.next(claim)};
    add(claim.says, told.says);
    if (claim.arrow) {
      told.edge = {.from = label(claim.arrow->from),
                   .to = label(claim.arrow->to),
                   .relation = claim.arrow->relation,
                   .key = claim.arrow->key.is_none() ? "" : short_text(claim.arrow->key),
                   .by_timestamps = claim.arrow->by_timestamps};
    }
    told.steps = tell(claim.steps);
    return told;
  }

  void pass_over(const Claim& claim) {
    static_cast<void>(anchors_.next(claim));
    for (const Claim& step : claim.steps) {
      pass_over(step);
    }
  }

  void add(const Phrase& phrase, ReportWords& words) {
    for (const Part& part : phrase) {
      std::visit([&](const auto& typed) { add_part(typed, words); }, part.content);
    }
  }

  void add_part(const std::string& text, ReportWords& words) const {
    const std::string bounded = shortened(text, limits_.text_bytes);
    if (!words.empty() && words.back().kind == ReportWord::Kind::kText) {
      words.back().text += bounded;
    } else {
      words.push_back({.text = bounded});
    }
  }

  void add_part(const ActorPart& part, ReportWords& words) const {
    words.push_back({.kind = ReportWord::Kind::kActor,
                     .text = label(part.actor),
                     .anchor = actor_anchor(finding_, part.actor)});
    if (part.with_place) {
      const TxnId txn = actors_.at(part.actor).event.txn;
      add_part(" (" + cited(history_, std::span(&txn, std::size_t{1}), options_) + ")", words);
    }
  }

  void add_part(const TxnsPart& part, ReportWords& words) const {
    words.push_back(
        {.kind = ReportWord::Kind::kCitation, .text = cited(history_, part.txns, options_)});
  }

  void add_part(ValuePart part, ReportWords& words) const {
    words.push_back({.kind = ReportWord::Kind::kValue, .text = short_text(part.value)});
  }

  void add_part(const ListPart& part, ReportWords& words) {
    ReportWord word{.kind = ReportWord::Kind::kValue,
                    .text = elided_list(history_, part.elements, part.focus)};
    word.text = shortened(word.text, limits_.text_bytes);
    // Skips a list that is certainly too long.
    if (part.elements.size() <= limits_.whole_bytes / 2) {
      std::string whole = whole_list(history_, part.elements);
      if (whole != word.text && whole.size() <= std::min(limits_.whole_bytes, whole_bytes_left_)) {
        whole_bytes_left_ -= whole.size();
        word.whole = std::move(whole);
      }
    }
    words.push_back(std::move(word));
  }

  void add_part(const SeriesPart& part, ReportWords& words) {
    const std::size_t shown = std::min(part.items.size(), kItemsInSeries);
    for (std::size_t i = 0; i < shown; ++i) {
      add_part(std::string(i == 0 ? "" : i + 1 == part.items.size() ? " and " : ", "), words);
      add(part.items[i], words);
    }
    if (shown < part.items.size()) {
      add_part(fmt::format(" and {} more", part.items.size() - shown), words);
    }
  }

  [[nodiscard]] std::string short_text(ValueId value) const { return history_.shown_text(value); }

  static std::string label(std::size_t actor) { return "T" + std::to_string(actor + 1); }

  const History& history_;
  const TextOptions& options_;
  const ReportLimits& limits_;
  const std::string& finding_;
  const std::vector<Actor>& actors_;
  std::size_t& whole_bytes_left_;
  ClaimAnchors anchors_;
};

std::string_view word(TxnStatus status) {
  return status == TxnStatus::kCommitted ? "committed"
         : status == TxnStatus::kAborted ? "aborted"
                                         : "indeterminate";
}

/// The session of a transaction; empty if the source names none.
std::string session_text(const History& history, TxnId txn) {
  if (!history.info().has_process) {
    return "";
  }
  const bool is_process = history.info().has_process && !history.info().is_session_trace;
  return fmt::format("{} {}", is_process ? "process" : "session",
                     history.session_text(history.session(txn)));
}

void add_once(std::string text, std::vector<std::string>& to) {
  if (!text.empty() && std::ranges::find(to, text) == to.end()) {
    to.push_back(std::move(text));
  }
}

/// Adds the levels that the finding's types of anomalies rule out.
void add_levels(const Finding& finding, ReportFinding& told) {
  AnomalySet types;
  const auto add = [&](const std::string& name) {
    if (const std::optional<AnomalyType> type = find_anomaly(name)) {
      types.set(*type);
    }
  };
  add(finding.description.name);
  for (const Finding& follower : finding.followers) {
    add(follower.description.name);
  }
  const ModelSet impossible = impossible_models(types);
  told.rules_out = weakest_of(impossible);
  told.survivors = impossible.none() ? ModelSet() : strongest_in_chart(~impossible);
}

}  // namespace

ReportFinding FindingTeller::tell(const Finding& finding, std::size_t place, bool by_timestamps) {
  const Description& description = finding.description;
  ReportFinding told{.anchor = finding_anchor(place),
                     .name = description.name,
                     .gloss = description.gloss,
                     .count = finding.count,
                     .is_doubtful = finding.is_doubtful,
                     .key_noun = key_noun(history_)};
  for (std::size_t i = 0; i < description.actors.size(); ++i) {
    const Actor& actor = description.actors[i];
    told.txn_count += actor.is_witness ? 0 : 1;
    if (i < limits_.actors) {
      add_keys(actor, told);
      add_once(session_text(history_, actor.event.txn), told.sessions);
      told.actors.push_back(tell(actor, told.anchor, i));
    } else {
      ++told.actors_left_out;
    }
  }
  ProofTeller proof(history_, options_, limits_, told.anchor, description.actors,
                    whole_bytes_left_);
  told.proof = proof.tell(description.claims);
  for (const Finding& follower : finding.followers) {
    told.followers.push_back({.name = follower.description.name,
                              .gloss = follower.description.gloss,
                              .count = follower.count,
                              .proof = proof.tell(follower.description.claims)});
  }
  add_levels(finding, told);
  told.exhibit =
      exhibit_of(history_, finding, options_,
                 {.anchor = told.anchor, .by_timestamps = by_timestamps, .faults = faults_});
  return told;
}

ReportActor FindingTeller::tell(const Actor& actor, const std::string& anchor, std::size_t number) {
  const auto [txn, kind] = actor.event;
  ReportActor told{.anchor = actor_anchor(anchor, number),
                   .label = fmt::format("T{}", number + 1),
                   .file = shortened(words_.file(txn, kind), limits_.name_bytes),
                   .line = words_.line(txn, kind),
                   .session = session_text(history_, txn),
                   .status = std::string(word(history_.status(txn))),
                   .is_reader_only = actor.is_witness};
  if (history_.info().is_session_trace) {
    told.place = place_in_session(history_, txn);
  }
  const std::string elided = elided_event(history_, actor.event, options_.fields, actor.focus);
  told.text = shortened(elided, limits_.text_bytes);
  add_whole(actor.event, told);
  return told;
}

void FindingTeller::add_whole(EventRef event, ReportActor& told) {
  std::string line =
      loaded_.line_at(history_.event(event.txn, event.kind).position, limits_.whole_bytes)
          .value_or("");
  // A line that is one map is an event. Other lines may be parts of events.
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  if (line.starts_with('{') && line.ends_with('}')) {
    told.raw = within_bounds(std::move(line));
  }
  if (!told.raw.empty()) {
    return;
  }
  std::string whole = whole_event(history_, event, options_.fields);
  told.whole_bytes = whole.size();
  if (whole != told.text) {
    told.whole = within_bounds(std::move(whole));
  }
}

void FindingTeller::add_keys(const Actor& actor, ReportFinding& told) const {
  for (const std::string& key : actor_keys(history_, actor, limits_.name_bytes)) {
    add_once(key, told.keys);
  }
}

std::string FindingTeller::within_bounds(std::string text) {
  if (text.size() > std::min(limits_.whole_bytes, whole_bytes_left_)) {
    return "";
  }
  whole_bytes_left_ -= text.size();
  return text;
}

}  // namespace elapid
