#include "adapter/cli/commands/predict/predict_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "adapter/elle/description_text.h"
#include "adapter/elle/event_text.h"
#include "adapter/elle/explanation.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/predict/level_clauses.h"

namespace elapid {

namespace {

using predict::kInitial;
using predict::Observation;
using predict::ObservedEvent;
using predict::PredictedPart;
using predict::PredictedTxn;
using predict::Prediction;

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(n), what, n == 1 ? "" : "s");
}

/// A read that shows something else than observed, by its number in its transaction.
struct ChangedRead {
  std::uint32_t txn = 0;
  std::uint32_t event = 0;
};

std::vector<ChangedRead> changes_of(const Observation& observation, const Prediction& prediction,
                                    std::uint32_t t) {
  std::vector<ChangedRead> changes;
  for (std::uint32_t i = 0; i < prediction.txns[t].events; ++i) {
    if (is_changed(observation, prediction, t, i)) {
      changes.push_back({t, i});
    }
  }
  return changes;
}

/// What a read shows.
struct Shown {
  std::uint32_t writer = kInitial;
  std::vector<ValueId> values = {};  ///< the elements of a list, or one value
};

/// Words for transactions of the observation.
class Words {
 public:
  Words(const History& observed, const Observation& observation)
      : observed_(observed), observation_(observation) {}

  /// `session 2, transaction 1`.
  [[nodiscard]] std::string place(std::uint32_t t) const {
    return t == kInitial ? std::string("the initial state")
                         : place_in_session(observed_, observation_.txns[t].txn);
  }

  /// What a read was observed to show, or shows in a prediction. A register's value is none() where
  /// the initial state has none.
  [[nodiscard]] Shown shown(const ChangedRead& change, const Prediction* prediction) const {
    const ObservedEvent& event = observation_.txns[change.txn].events[change.event];
    const std::uint32_t writer =
        prediction == nullptr ? event.writer : prediction->txns[change.txn].writers[change.event];
    Shown shown = {.writer = writer};
    if (!observation_.has_lists) {
      shown.values.push_back(
          writer == kInitial
              ? predict::initial_value(observed_, event.key)
              : predict::written(observed_, observation_.txns[writer].txn, event.key).back());
      return shown;
    }
    for (const std::uint32_t w :
         prediction == nullptr ? event.list
                               : list_read(observation_, *prediction, change.txn, change.event)) {
      std::ranges::copy(predict::written(observed_, observation_.txns[w].txn, event.key),
                        std::back_inserter(shown.values));
    }
    return shown;
  }

  [[nodiscard]] KeyId key(const ChangedRead& change) const {
    return observation_.txns[change.txn].events[change.event].key;
  }

  [[nodiscard]] std::string read(const ChangedRead& change, const Prediction& prediction) const {
    const auto one = [&](const Shown& shown) {
      std::string text;
      for (const ValueId value : shown.values) {
        text += (text.empty() ? "" : " ") + observed_.shown_text(value);
      }
      return fmt::format("{}, from {}", observation_.has_lists ? "[" + text + "]" : text,
                         place(shown.writer));
    };
    return fmt::format("{} = {}; observed: {}", observed_.shown_key(key(change)),
                       one(shown(change, &prediction)), one(shown(change, nullptr)));
  }

 private:
  const History& observed_;
  const Observation& observation_;
};

/// A session's last kept transaction; kInitial if it keeps none.
std::uint32_t last_kept(const Prediction& prediction, std::span<const std::uint32_t> session) {
  std::uint32_t last = kInitial;
  for (const std::uint32_t t : session) {
    last = prediction.keeps(t) ? t : last;
  }
  return last;
}

std::string session_lines(const Words& words, const History& observed,
                          const Observation& observation, const Prediction& prediction,
                          std::span<const std::uint32_t> session) {
  const std::string name =
      "session " + observed.session_text(observation.txns[session.front()].session);
  const std::uint32_t last = last_kept(prediction, session);
  if (last == kInitial) {
    return fmt::format("  {} does not begin\n", name);
  }
  const PredictedTxn& txn = prediction.txns[last];
  const std::vector<ChangedRead> changes = changes_of(observation, prediction, last);
  const bool is_cut = txn.events < observation.txns[last].events.size();
  std::string text = fmt::format("  {} {} its transaction {} of {}{}\n", name,
                                 last == session.back() && !is_cut && changes.empty() ? "ends after"
                                 : is_cut ? "stops within"
                                          : "stops after",
                                 number_in_session(observed, observation.txns[last].txn),
                                 observed.session_txns(observation.txns[last].session).size(),
                                 changes.empty() ? "" : ", which reads");
  for (const ChangedRead& change : changes) {
    text += fmt::format("    {}\n", words.read(change, prediction));
  }
  return text;
}

std::string boundary_name(predict::BoundaryKind boundary) {
  return boundary == predict::BoundaryKind::kStrict ? "strict" : "relaxed";
}

std::string headline(const PredictAnswer& answer) {
  const std::string input = visible_line(answer.path);
  const std::string& level = answer.levels.level_name;
  const std::string& target = answer.levels.target_name;
  if (!answer.predictions.empty()) {
    return fmt::format(
        "{}: {} allows an execution of these sessions that is not {}\n"
        "This is a prediction: it did not happen, and says nothing against the history.\n",
        input, level, target);
  }
  if (answer.is_complete) {
    return fmt::format("{}: none: each execution of these sessions that {} allows is {}\n", input,
                       level, target);
  }
  return fmt::format("{}: unknown, because of {}\n", input, answer.unknown_because);
}

/// Whether a read must be newer than what a transaction wrote to its key: it shows that write, or
/// one after it, or the write is visible (docs/levels.md).
bool sees(const PredictAnswer& answer, const Observation& observation,
          const predict::HappensBefore& happens_before, const Prediction& prediction,
          std::uint32_t reader, std::uint32_t read, std::uint32_t writer) {
  const Visibility level = order_level(answer.levels.level)->visibility;
  const std::vector<ObservedEvent>& events = observation.txns[reader].events;
  for (std::uint32_t i = 0; i < prediction.txns[reader].events; ++i) {
    const bool counts = i <= read || level != Visibility::kReadCommitted;
    if (events[i].is_write || !counts) {
      continue;
    }
    const std::uint32_t source = prediction.txns[reader].writers[i];
    const bool is_transitive =
        i == read || (level != Visibility::kReadCommitted && level != Visibility::kReadAtomic);
    if (source == writer || (is_transitive && happens_before.precedes(writer, source))) {
      return true;
    }
  }
  return std::ranges::count(list_read(observation, prediction, reader, read), writer) > 0;
}

/// Whether a boundary transaction reads a key that another session's transaction writes, and may
/// not see that write.
bool misses(const PredictAnswer& answer, const Observation& observation,
            const predict::HappensBefore& happens_before, const Prediction& prediction,
            std::uint32_t reader, std::uint32_t writer) {
  const PredictedTxn& txn = prediction.txns[reader];
  if (txn.part != PredictedPart::kBoundary ||
      observation.txns[reader].session == observation.txns[writer].session) {
    return false;
  }
  for (std::uint32_t i = 0; i < txn.events; ++i) {
    const ObservedEvent& event = observation.txns[reader].events[i];
    if (!event.is_write &&
        observation.txns[writer].writes(event.key, prediction.txns[writer].events) &&
        !sees(answer, observation, happens_before, prediction, reader, i, writer)) {
      return true;
    }
  }
  return false;
}

std::string replay_lines(const Predicted& predicted) {
  if (!predicted.replayed) {
    return "";
  }
  std::string text = predicted.replayed->is_validated
                         ? "\nValidated: the run of the client violates the target, too.\n"
                         : "\nRefuted: the run of the client satisfies the target.\n";
  for (const std::string& divergence : predicted.replayed->divergences) {
    text += fmt::format("  Diverged: {}.\n", visible_line(divergence));
  }
  return text;
}

/// What the answer rests on: the executions that were excluded.
std::string basis(const PredictAnswer& answer) {
  return fmt::format(
      "all executions of prefixes of the {} within a {} boundary were excluded, by {} that "
      "explain{} "
      "them and by what {} asks",
      counted(answer.from_observed, "observed transaction"), boundary_name(answer.boundary),
      counted(answer.orders, "order"), answer.orders == 1 ? "s" : "", answer.levels.level_name);
}

}  // namespace

std::vector<std::pair<std::string, std::size_t>> dangerous_pairs(const History& observed,
                                                                 const Observation& observation,
                                                                 const PredictAnswer& answer,
                                                                 const ProgramNames& names) {
  const Words words(observed, observation);
  const auto name = [&](std::uint32_t t) { return names[t].empty() ? words.place(t) : names[t]; };
  const predict::HappensBefore happens_before(observation);
  std::map<std::string, std::size_t> counts;
  for (const Predicted& predicted : answer.predictions) {
    std::set<std::string> pairs;
    for (const std::uint32_t a : predicted.contradicting) {
      for (const std::uint32_t b : predicted.contradicting) {
        if (misses(answer, observation, happens_before, predicted.prediction, a, b)) {
          const std::pair<std::string, std::string> pair = std::minmax(name(a), name(b));
          pairs.insert(pair.first + " with " + pair.second);
        }
      }
    }
    for (const std::string& pair : pairs) {
      ++counts[pair];
    }
  }
  std::vector<std::pair<std::string, std::size_t>> ranked(counts.begin(), counts.end());
  std::ranges::stable_sort(ranked, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  return ranked;
}

std::string prediction_text(const History& observed, const Observation& observation,
                            const PredictAnswer& answer, const ProgramNames& names) {
  const Words words(observed, observation);
  std::string text = headline(answer);
  for (std::size_t i = 0; i < answer.predictions.size(); ++i) {
    const Predicted& predicted = answer.predictions[i];
    text +=
        fmt::format("\nPrediction {}: {}, {}\n", i + 1, counted(predicted.changed, "changed read"),
                    counted(predicted.kept, "transaction"));
    for (const auto& session : observation.sessions) {
      text += session_lines(words, observed, observation, predicted.prediction, session);
    }
    text += "\n" +
            anomalies_text(predicted.history, predicted.verdict.anomalies,
                           predicted.verdict.assumptions, {}) +
            "\n" + replay_lines(predicted);
  }
  if (!answer.predictions.empty()) {
    const auto pairs = dangerous_pairs(observed, observation, answer, names);
    text += pairs.empty() ? "" : "\nTransactions that are dangerous together:\n";
    for (const auto& [pair, count] : pairs) {
      text += fmt::format("  {}: in {}\n", pair, counted(count, "prediction"));
    }
    text += answer.is_complete ? "\nIn each other prediction, the transactions of one of these "
                                 "contradict one another.\n"
            : answer.unknown_because.empty()
                ? ""
                : fmt::format("\nWhether there are others is unknown, because of {}.\n",
                              answer.unknown_because);
  } else if (answer.is_complete) {
    text += fmt::format("This rests on a search: {}.\n", basis(answer));
  }
  for (const std::string& sentence : answer.assumes) {
    text += fmt::format("Assumes: {}.\n", sentence);
  }
  return text;
}

namespace {

class MapWriter {
 public:
  MapWriter(const History& observed, const Observation& observation, Syntax syntax)
      : observed_(observed),
        observation_(observation),
        words_(observed, observation),
        out_(syntax) {}

  std::string write(const PredictAnswer& answer, const ProgramNames& names) {
    out_.open(Container::kMap, 1);
    out_.key("prediction")
        .keyword(!answer.predictions.empty() ? "found"
                 : answer.is_complete        ? "none"
                                             : "unknown");
    out_.key("level").keyword(friendly_name(answer.levels.level));
    out_.key("target").keyword(friendly_name(answer.levels.target));
    out_.key("boundary").keyword(boundary_name(answer.boundary));
    out_.key("complete").boolean(answer.is_complete);
    if (!answer.unknown_because.empty()) {
      out_.key("unknown-because").string(answer.unknown_because);
    }
    out_.key("predictions").each(answer.predictions, 2, [&](const Predicted& predicted) {
      write_prediction(predicted);
    });
    out_.key("dangerous-pairs")
        .each_map(dangerous_pairs(observed_, observation_, answer, names), 2,
                  [&](const auto& entry) {
                    const auto& [pair, count] = entry;
                    out_.key("transactions").string(pair);
                    out_.key("predictions").integer(count);
                  });
    if (answer.predictions.empty() && answer.is_complete) {
      out_.key("rests-on").string(basis(answer));
    }
    out_.key("orders").integer(answer.orders);
    out_.key("assumes").strings(answer.assumes, 2);
    out_.close();
    return std::move(out_).take() + "\n";
  }

 private:
  void write_prediction(const Predicted& predicted) {
    out_.open(Container::kMap, 3);
    out_.key("transactions").integer(predicted.kept);
    out_.key("stops").each(observation_.sessions, 4,
                           [&](const auto& session) { write_stop(predicted.prediction, session); });
    out_.key("changed-reads").open(Container::kVector, 4);
    for (std::uint32_t t = 1; t < predicted.prediction.txns.size(); ++t) {
      for (const ChangedRead& change : changes_of(observation_, predicted.prediction, t)) {
        write_change(change, predicted.prediction);
      }
    }
    out_.close();
    out_.key("contradicting").each(predicted.contradicting, [&](std::uint32_t t) {
      out_.string(words_.place(t));
    });
    std::set<std::string_view> types;
    for (const Anomaly& anomaly : predicted.verdict.anomalies) {
      types.insert(name(anomaly.type));
    }
    out_.key("anomaly-types").each(Container::kList, types, [&](std::string_view type) {
      out_.keyword(type);
    });
    out_.key("text").string(anomalies_text(predicted.history, predicted.verdict.anomalies,
                                           predicted.verdict.assumptions, {}));
    write_history(predicted);
    write_replay(predicted);
    out_.close();
  }

  void write_replay(const Predicted& predicted) {
    if (predicted.replayed) {
      out_.key("replay").keyword(predicted.replayed->is_validated ? "validated" : "refuted");
      out_.key("divergences").strings(predicted.replayed->divergences, 4);
    }
  }

  void write_session(SessionId session) {
    const auto name = observed_.session_given_name(session);
    out_.key("session");
    name ? out_.string(*name) : out_.integer(observed_.session_name(session));
  }

  void write_place(std::uint32_t t) {
    write_session(observation_.txns[t].session);
    out_.key("transaction").integer(number_in_session(observed_, observation_.txns[t].txn));
  }

  void write_stop(const Prediction& prediction, std::span<const std::uint32_t> session) {
    const std::uint32_t last = last_kept(prediction, session);
    out_.open(Container::kMap);
    if (last == kInitial) {
      write_session(observation_.txns[session.front()].session);
      out_.key("transaction").integer(0);
      out_.key("boundary").boolean(false);
    } else {
      write_place(last);
      out_.key("boundary").boolean(prediction.txns[last].part == PredictedPart::kBoundary);
    }
    out_.close();
  }

  void write_shown(std::string_view key, const Shown& shown) {
    out_.key(key).open(Container::kMap);
    out_.key("value");
    if (observation_.has_lists) {
      out_.each(shown.values, [&](ValueId value) { write_value(out_, observed_, value); });
    } else {
      write_value(out_, observed_, shown.values.front());
    }
    if (shown.writer != kInitial) {
      write_place(shown.writer);
    }
    out_.close();
  }

  void write_change(const ChangedRead& change, const Prediction& prediction) {
    out_.open(Container::kMap);
    write_place(change.txn);
    out_.key("key");
    write_value(out_, observed_, observed_.key_value(words_.key(change)));
    write_shown("observed", words_.shown(change, nullptr));
    write_shown("predicted", words_.shown(change, &prediction));
    out_.close();
  }

  /// Writes the predicted execution, a map a transaction.
  void write_history(const Predicted& predicted) {
    const History& history = predicted.history;
    out_.key("history").open(Container::kVector, 4);
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      out_.open(Container::kMap);
      if (predicted.origins[t] != kInitial) {
        write_place(predicted.origins[t]);
      }
      out_.key("value").each(history.ops(TxnId{t}), [&](Op op) { write_mop(out_, history, op); });
      out_.close();
    }
    out_.close();
  }

  const History& observed_;
  const Observation& observation_;
  Words words_;
  DocumentWriter out_;
};

}  // namespace

std::string prediction_map(const History& observed, const Observation& observation,
                           const PredictAnswer& answer, const ProgramNames& names, Syntax syntax) {
  return MapWriter(observed, observation, syntax).write(answer, names);
}

}  // namespace elapid
