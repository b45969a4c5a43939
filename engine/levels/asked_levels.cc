#include "engine/levels/asked_levels.h"

#include <algorithm>

namespace elapid {

namespace {

Error at_txn(const History& history, TxnId txn, const std::string& message) {
  return {.message =
              message + " (index " + std::to_string(history.representative(txn).index) + ")"};
}

}  // namespace

std::string in_our_words(std::string word) {
  std::ranges::transform(word, word.begin(), [](char c) {
    return c == ' ' || c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return word;
}

std::optional<OrderLevel> level_in_mix(Model model) {
  if (model == Model::kPlCs) {
    return OrderLevel{Visibility::kCursor, false, false};
  }
  if (model == Model::kPl1) {
    return OrderLevel{Visibility::kNothing, false, false};
  }
  const std::optional<OrderLevel> level = order_level(model);
  const bool is_session_guarantee = level && level->visibility > Visibility::kReadCommitted &&
                                    level->visibility < Visibility::kNothing;
  return is_session_guarantee ? std::nullopt : level;
}

Result<Model> find_level_in_mix(const std::string& word) {
  std::optional<Model> model = find_model(word);
  if (!model) {
    model = find_model(in_our_words(word));
  }
  if (!model) {
    std::string message = "expected a level, found `" + word + "`";
    for (const std::string_view similar : similar_models(word, 1)) {
      message += "; did you mean " + std::string(similar) + "?";
    }
    return usage_error(std::move(message));
  }
  if (!level_in_mix(*model)) {
    return usage_error(
        "expected a level that stands beside others (serializable, "
        "snapshot-isolation, prefix, causal, repeatable-read, cursor-stability, "
        "read-atomic, read-committed, read-uncommitted, or one of them with sessions or real "
        "time), "
        "found `" +
        word + "`");
  }
  return *model;
}

Result<AskedLevels> asked_levels(const History& history) {
  const TxnWords& words = history.levels();
  std::vector<std::optional<Model>> known(words.words().size());
  std::vector<Model> models;
  std::vector<OrderLevel> levels;
  std::vector<bool> dirty;
  models.reserve(history.txn_count());
  levels.reserve(history.txn_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const TxnWords::Number number = words.number_of(txn);
    if (number == TxnWords::kNone && history.status(txn) != TxnStatus::kAborted) {
      return at_txn(history, txn,
                    "expected a level of this transaction, as others have, found none");
    }
    if (number != TxnWords::kNone && !known[number - 1U]) {
      const Result<Model> found = find_level_in_mix(words.words()[number - 1U]);
      if (!found) {
        return at_txn(history, txn, found.error().message);
      }
      known[number - 1U] = found.value();
    }
    models.push_back(number == TxnWords::kNone ? Model::kPl2 : *known[number - 1U]);
    levels.push_back(*level_in_mix(models.back()));
    if (models.back() == Model::kPl1) {
      dirty.resize(history.txn_count());
      dirty[txn.index()] = true;
    }
  }
  return AskedLevels{std::move(models), TxnLevels(std::move(levels), std::move(dirty))};
}

ModelSet asked_models(const History& history, const std::vector<Model>& models) {
  ModelSet asked;
  for (TxnId txn{0}; txn.index() < models.size(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      asked.set(models[txn.index()]);
    }
  }
  return asked;
}

}  // namespace elapid
