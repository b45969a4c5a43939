// The JSON texts of a history's values. Different values may have one text, for example `:a` and
// "a". Then a reader of the JSON sees one value, and merged() tells the two.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/ir/history.h"
#include "parsers/json/json_of_edn.h"

namespace elapid {

/// Borrows the history.
class JsonValues {
 public:
  explicit JsonValues(const History& history) : history_(history) {}

  void append(ValueId value, std::string& out) {
    if (value.is_integer() || value.is_long()) {
      history_.values().append_text(value, out);
      return;
    }
    const auto [text, is_new] = texts_.try_emplace(value);
    if (is_new) {
      append_json_of_edn(history_.text(value), text->second);
      note_merged(value, text->second);
    }
    out += text->second;
  }

  /// The first two values that have one text.
  [[nodiscard]] const std::optional<std::pair<ValueId, ValueId>>& merged() const { return merged_; }

 private:
  void note_merged(ValueId value, const std::string& text) {
    const auto [first, is_first] = values_.try_emplace(text, value);
    if (!is_first) {
      merged_ = {first->second, value};
    }
  }

  const History& history_;
  std::unordered_map<ValueId, std::string> texts_;
  std::unordered_map<std::string, ValueId, SeededHash> values_;
  std::optional<std::pair<ValueId, ValueId>> merged_;
};

}  // namespace elapid
