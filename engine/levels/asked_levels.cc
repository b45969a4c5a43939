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
  std::vector<std::optional<Model>> models(history.txn_count());
  std::optional<Model> first;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    const TxnWords::Number number = words.number_of(txn);
    if (number == TxnWords::kNone) {
      return at_txn(history, txn,
                    "expected a level of this transaction, as others have, found none");
    }
    std::optional<Model>& model = known[number - 1U];
    if (!model) {
      const Result<Model> found = find_level_in_mix(words.words()[number - 1U]);
      if (!found) {
        return at_txn(history, txn, found.error().message);
      }
      model = found.value();
    }
    models[txn.index()] = model;
    first = first ? first : model;
  }
  AskedLevels asked = {.models = {}, .levels = OrderLevel{}};
  std::vector<OrderLevel> levels;
  std::vector<bool> dirty;
  for (const std::optional<Model>& model : models) {
    asked.models.push_back(model.value_or(first.value_or(Model::kPl2)));
    levels.push_back(*level_in_mix(asked.models.back()));
    dirty.push_back(asked.models.back() == Model::kPl1);
  }
  if (std::ranges::find(dirty, true) == dirty.end()) {
    dirty.clear();
  }
  asked.levels = TxnLevels(std::move(levels), std::move(dirty));
  return asked;
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
