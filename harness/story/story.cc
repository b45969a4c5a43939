#include "harness/story/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "engine/evidence/describe.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/rows/text.h"
#include "harness/story/claim_text.h"

namespace elapid {

namespace {

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(number), what, number == 1 ? "" : "s");
}

/// A keyword without its colon, or a string without quotes, for readers who do not know Clojure.
std::string plain(std::string text) {
  if (text.starts_with(':')) {
    return text.substr(1);
  }
  const bool is_string = text.size() > 2 && text.front() == '"' && text.back() == '"';
  return is_string ? text.substr(1, text.size() - 2) : text;
}

/// The name of a key, as `x` or `key 7`.
std::string key_name(const History& history, KeyId key) {
  const std::string name = plain(history.shown_key(key));
  const bool is_number =
      !name.empty() && (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name[0] == '-');
  return is_number ? "key " + name : name;
}

/// The finding of this name, or else the first one, with the actors of its claims.
struct Told {
  Description description = {};
  std::vector<Actor> actors = {};
};

std::optional<Told> told(const History& history, const Verdict& verdict, const std::string& name) {
  std::optional<Told> first;
  for (const Finding& finding : findings(history, verdict)) {
    const std::vector<Actor>& actors = finding.description.actors;
    if (finding.description.name == name) {
      return Told{finding.description, actors};
    }
    for (const Finding& follower : finding.followers) {
      if (follower.description.name == name) {
        return Told{follower.description, actors};
      }
    }
    first = first ? first : Told{finding.description, actors};
  }
  return first;
}

/// The first operation of this kind on the key; -1 if there is none.
std::int32_t mop_on(const History& history, TxnId txn, KeyId key, bool is_write) {
  const std::span<const Op> ops = history.ops(txn);
  const auto found = std::ranges::find_if(
      ops, [&](Op op) { return op.key() == key && (is_write ? op.is_write() : op.is_read()); });
  return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
}

/// Adds the dependencies of a lost update: each transaction read the version before any other one
/// overwrote it.
void add_steps(const History& history, const LostUpdateEvidence& lost, std::vector<Step>& steps) {
  for (const TxnId reader : lost.txns) {
    for (const TxnId writer : lost.txns) {
      if (reader != writer) {
        steps.push_back({.from = reader,
                         .to = writer,
                         .relation = Relation::kRw,
                         .key = lost.key,
                         .from_mop = mop_on(history, reader, lost.key, false),
                         .to_mop = mop_on(history, writer, lost.key, true)});
      }
    }
  }
}

/// The dependencies in the evidence of a verdict.
std::vector<Step> dependencies(const History& history, const Verdict& verdict) {
  std::vector<Step> steps;
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence)) {
      steps.insert(steps.end(), cycle->steps.begin(), cycle->steps.end());
    } else if (const auto* lost = std::get_if<LostUpdateEvidence>(&anomaly.evidence)) {
      add_steps(history, *lost, steps);
    }
  }
  return steps;
}

class Teller {
 public:
  Teller(const History& history, const Verdict& verdict, const StoryOptions& options)
      : history_(history), verdict_(verdict), options_(options) {}

  ToldStory tell() {
    std::optional<Told> finding = told(history_, verdict_, options_.anomaly);
    if (finding) {
      finding->description.actors = finding->actors;
      tell_title(finding->description);
      cycle_ = cycle_steps(verdict_, finding->description.name);
    } else {
      tell_title();
    }
    const std::vector<StoryMoment> moments = schedule(history_, dependencies(history_, verdict_));
    for (const StoryMoment& moment : moments) {
      add_txn(moment.txn);
    }
    for (const StoryMoment& moment : moments) {
      add_step(moment);
    }
    if (finding) {
      number_steps(finding->actors);
      add_edges();
      story_.claims = claim_lines(history_, finding->description,
                                  [this](TxnId txn) { return story_.txns[txns_.at(txn)].label; });
    }
    return std::move(story_);
  }

 private:
  void tell_title(const Description& description) {
    story_.title = visible_line(description.name +
                                (description.gloss.empty() ? "" : ": " + description.gloss));
    tell_rest();
  }

  void tell_title() {
    story_.title = validity_word(verdict_.validity);
    tell_rest();
  }

  void tell_rest() {
    for (std::size_t m = 0; m < kModelCount; ++m) {
      const auto model = static_cast<Model>(m);
      if (verdict_.not_models.test(model)) {
        story_.levels +=
            (story_.levels.empty() ? "not " : ", ") + std::string(friendly_name(model));
      }
    }
    const std::string_view unit = options_.call_text ? "operation" : "transaction";
    story_.size = counted(history_.txn_count(), unit);
    if (!options_.call_text) {
      story_.size += ", " + counted(history_.op_count(), "operation");
    }
    if (options_.whole_txns > 0) {
      story_.size += ", from " + counted(options_.whole_txns, unit);
    }
  }

  void add_txn(TxnId txn) {
    if (txns_.try_emplace(txn, story_.txns.size()).second) {
      story_.txns.push_back({.label = fmt::format("T{}", story_.txns.size() + 1),
                             .txn = txn,
                             .first_row = static_cast<std::size_t>(-1)});
    }
  }

  std::size_t column_of(SessionId session) {
    const auto [at, is_new] = columns_.try_emplace(session, story_.columns.size());
    if (is_new) {
      story_.columns.push_back({fmt::format("session {}", history_.session_text(session))});
    }
    return at->second;
  }

  void add_step(const StoryMoment& moment) {
    const std::size_t row = story_.steps.size();
    StoryTxn& txn = story_.txns[txns_.at(moment.txn)];
    txn.column = column_of(history_.session(moment.txn));
    txn.first_row = std::min(txn.first_row, row);
    txn.last_row = row;
    if (moment.kind == StoryMoment::Kind::kOp) {
      rows_.emplace(std::pair(moment.txn, moment.mop), row);
    }
    story_.steps.push_back({.moment = moment,
                            .column = txn.column,
                            .txn = txns_.at(moment.txn),
                            .text = visible_line(text_of(moment))});
  }

  [[nodiscard]] std::string text_of(const StoryMoment& moment) const {
    if (options_.call_text) {
      return text_of_call(moment);
    }
    if (moment.kind == StoryMoment::Kind::kBegin) {
      return history_.has_completion(moment.txn) ? "begin" : "begin, outcome unknown";
    }
    if (moment.kind == StoryMoment::Kind::kOp) {
      return op_text(moment.txn, history_.ops(moment.txn)[moment.mop]);
    }
    switch (history_.status(moment.txn)) {
      case TxnStatus::kCommitted:
        return "commit";
      case TxnStatus::kAborted:
        return "abort";
      default:
        return "outcome unknown";
    }
  }

  [[nodiscard]] std::string text_of_call(const StoryMoment& moment) const {
    switch (moment.kind) {
      case StoryMoment::Kind::kBegin:
        return "invoked";
      case StoryMoment::Kind::kOp:
        return options_.call_text(moment.txn);
      case StoryMoment::Kind::kEnd:
        break;
    }
    switch (history_.status(moment.txn)) {
      case TxnStatus::kCommitted:
        return "ok";
      case TxnStatus::kAborted:
        return "failed";
      default:
        return "outcome unknown";
    }
  }

  [[nodiscard]] std::string op_text(TxnId txn, Op op) const {
    const std::string key = key_name(history_, op.key());
    switch (op.kind()) {
      case OpKind::kReadList:
        return fmt::format("read {} = {}", key, list_text(history_, history_.elements(op)));
      case OpKind::kRead:
        return op.value().is_nil() && !history_.committed(txn)
                   ? fmt::format("read {}, result unknown", key)
                   : fmt::format("read {} = {}", key, history_.shown_text(op.value()));
      case OpKind::kWrite:
        return fmt::format("write {} = {}", key, history_.shown_text(op.value()));
      case OpKind::kAppend:
        return fmt::format("append {} to {}", history_.shown_text(op.value()), key);
      case OpKind::kRow:
        return rows::text(history_, op);
      default:
        return plain(history_.shown_text(op.value()));
    }
  }

  /// Numbers the operations that the evidence mentions.
  void number_steps(const std::vector<Actor>& actors) {
    std::vector<std::size_t> rows;
    for (const Actor& actor : actors) {
      for (const Focus& focus : actor.focus) {
        if (const auto row = rows_.find({actor.event.txn, focus.mop}); row != rows_.end()) {
          rows.push_back(row->second);
        }
      }
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      story_.steps[rows[i]].number = i + 1;
    }
  }

  void add_edges() {
    for (const Step& step : cycle_) {
      const bool has_key =
          step.relation != Relation::kProcess && step.relation != Relation::kRealtime;
      story_.edges.push_back(
          {.from = txns_.at(step.from),
           .to = txns_.at(step.to),
           .from_row = row_of(step.from, step.from_mop, story_.txns[txns_.at(step.from)].last_row),
           .to_row = row_of(step.to, step.to_mop, story_.txns[txns_.at(step.to)].first_row),
           .relation = std::string(relation_name(step.relation)),
           .key = has_key ? visible_line(key_name(history_, step.key)) : ""});
    }
  }

  [[nodiscard]] std::size_t row_of(TxnId txn, std::int32_t mop, std::size_t otherwise) const {
    const auto row = rows_.find({txn, static_cast<std::uint32_t>(mop)});
    return row != rows_.end() ? row->second : otherwise;
  }

  const History& history_;
  const Verdict& verdict_;
  const StoryOptions& options_;
  ToldStory story_ = {};
  std::vector<Step> cycle_ = {};
  std::map<TxnId, std::size_t> txns_ = {};
  std::map<SessionId, std::size_t> columns_ = {};
  std::map<std::pair<TxnId, std::uint32_t>, std::size_t> rows_ = {};  // of operations
};

}  // namespace

bool overlaps(const History& history, const ToldStory& story) {
  std::size_t open_until = 0;
  for (const StoryTxn& txn : story.txns) {  // in the order of their first events
    if (txn.txn == history.info().initial_txn) {
      continue;
    }
    if (txn.first_row < open_until) {
      return true;
    }
    open_until = std::max(open_until, txn.last_row);
  }
  return false;
}

ToldStory tell_story(const History& history, const Verdict& verdict, const StoryOptions& options) {
  return Teller(history, verdict, options).tell();
}

std::vector<Step> cycle_steps(const Verdict& verdict, const std::string& anomaly) {
  std::vector<Step> shortest;
  for (const Anomaly& found : verdict.anomalies) {
    const auto* cycle = std::get_if<CycleEvidence>(&found.evidence);
    if (cycle != nullptr && name(found.type) == anomaly &&
        (shortest.empty() || cycle->steps.size() < shortest.size())) {
      shortest = cycle->steps;
    }
  }
  return shortest;
}

}  // namespace elapid
