#include "tests/reference/plain_call.h"

#include <variant>

namespace elapid {

namespace {

/// Writes values of a result.
class EntryText {
 public:
  explicit EntryText(const History& history) : history_(history) {}

  [[nodiscard]] std::string of(const ResultValue& value) const {
    using Kind = ResultValue::Kind;
    switch (value.kind) {
      case Kind::kNil:
        return "nil";
      case Kind::kBoolean:
        return value.integer != 0 ? "true" : "false";
      case Kind::kInteger:
        return std::to_string(value.integer);
      case Kind::kValue:
        return history_.text(value.value);
      case Kind::kEvent:
        return "op " + std::to_string(history_.event(value.ref.txn, value.ref.kind).index);
      case Kind::kVector:
      case Kind::kList:
      case Kind::kSet:
        return "(" + joined(value.items) + ")";
      case Kind::kMap:
        return "{" + joined(value.items) + "}";
      default:
        return value.text;
    }
  }

 private:
  [[nodiscard]] std::string joined(const std::vector<ResultValue>& items) const {
    std::string text;
    for (const ResultValue& item : items) {
      text += (text.empty() ? "" : " ") + of(item);
    }
    return text;
  }

  const History& history_;
};

std::string text_of_lists(const NumberLists& lists) {
  std::string text = "(";
  for (const std::vector<std::int64_t>& list : lists) {
    text += text.size() > 1 ? " (" : "(";
    for (const std::int64_t number : list) {
      text += (text.back() == '(' ? "" : " ") + std::to_string(number);
    }
    text += ')';
  }
  return text + ')';
}

}  // namespace

std::string value_text(const PlainCall& call) {
  if (call.is_nil) {
    return "nil";
  }
  if (call.brackets.empty()) {
    return call.elements.front();
  }
  std::string text = call.brackets.substr(0, call.brackets.size() - 1);
  for (std::size_t place = 0; place < call.elements.size(); ++place) {
    text += (place > 0 ? " " : "") + call.elements[place];
  }
  return text + call.brackets.back();
}

std::string history_text(const std::vector<PlainCall>& calls) {
  std::string text;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    const PlainCall& call = calls[place];
    text += "{:type :" + call.type + ", :f :" + call.f + ", :process " +
            std::to_string(call.process) + ", :index " + std::to_string(place) + ", :time " +
            std::to_string(call.time) + ", :value " + value_text(call) +
            (call.is_final ? ", :final? true}\n" : "}\n");
  }
  return text;
}

std::size_t invocation_of(const std::vector<PlainCall>& calls, std::size_t place) {
  for (std::size_t before = place; before-- > 0;) {
    if (calls[before].process == calls[place].process) {
      return calls[before].type == "invoke" ? before : place;
    }
  }
  return place;
}

std::size_t completion_of(const std::vector<PlainCall>& calls, std::size_t place) {
  for (std::size_t after = place + 1; after < calls.size(); ++after) {
    if (calls[after].process == calls[place].process) {
      return calls[after].type != "invoke" ? after : place;
    }
  }
  return place;
}

std::string entries_text(const History& history, const Verdict& verdict) {
  const EntryText writer(history);
  std::string text;
  for (const ResultEntry& entry : verdict.entries) {
    if (entry.key.starts_with("elapid/")) {
      continue;
    }
    text += entry.key + ' ';
    if (const auto* number = std::get_if<std::int64_t>(&entry.value)) {
      text += std::to_string(*number);
    } else if (const auto* lists = std::get_if<NumberLists>(&entry.value)) {
      text += text_of_lists(*lists);
    } else if (const auto* value = std::get_if<ResultValue>(&entry.value)) {
      text += writer.of(*value);
    } else {
      text += std::get<std::string>(entry.value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace elapid
