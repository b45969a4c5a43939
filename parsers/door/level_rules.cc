#include "parsers/door/level_rules.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <utility>

#include "engine/levels/asked_levels.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

using Condition = std::function<bool(const History& history, TxnId txn)>;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  const std::size_t end = text.find_last_not_of(" \t\n");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// Whether the operation, perhaps on rows, only reads.
bool only_reads(const History& history, Op op) {
  return op.kind() == OpKind::kRow ? history.info().rows->op(op).is_read() : op.is_read();
}

bool writes(const History& history, TxnId txn) {
  return !std::ranges::all_of(history.ops(txn), [&](Op op) { return only_reads(history, op); });
}

std::string_view function_of(const History& history, Op op) {
  return only_reads(history, op) ? "r" : op.kind() == OpKind::kAppend ? "append" : "w";
}

/// A condition that the whole of `text(history, txn)` matches the pattern.
template <class Text>
Result<Condition> matches(std::string_view pattern, Text text) {
  const auto regex =
      std::make_shared<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
  if (!regex->ok()) {
    return usage_error(
        fmt::format("expected an RE2 pattern, found `{}`: {}", pattern, regex->error()));
  }
  return Condition([regex, text](const History& history, TxnId txn) {
    return RE2::FullMatch(text(history, txn), *regex);
  });
}

std::string name_of(const History& history, TxnId txn) {
  return std::string(history.names().of(txn));
}

std::string process_of(const History& history, TxnId txn) {
  return history.session_text(history.session(txn));
}

std::string first_key_of(const History& history, TxnId txn) {
  return history.ops(txn).empty() ? "" : history.key_text(history.ops(txn).front().key());
}

Result<Condition> compare_process(std::string_view comparison, std::string_view number) {
  std::int64_t bound = 0;
  const char* const end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, bound);
  if (number.empty() || parsed.ec != std::errc{} || parsed.ptr != end) {
    return usage_error(fmt::format("expected a number of a process, found `{}`", number));
  }
  const bool less = comparison.starts_with('<');
  const bool more = comparison.starts_with('>');
  const bool equal = comparison.ends_with('=');
  return Condition([=](const History& history, TxnId txn) {
    const std::int64_t process = history.session_name(history.session(txn));
    return (less && process < bound) || (more && process > bound) || (equal && process == bound);
  });
}

Result<Condition> parse_condition(std::string_view text) {
  if (text == "read-only" || text == "writes") {
    const bool wanted = text == "writes";
    return Condition(
        [wanted](const History& history, TxnId txn) { return writes(history, txn) == wanted; });
  }
  const std::size_t begin = text.find_first_of("=<>~");
  const std::size_t end = text.find_first_not_of("=<>~", begin);
  const std::string_view subject = trimmed(text.substr(0, begin));
  const std::string_view comparison = begin == std::string_view::npos
                                          ? std::string_view()
                                          : text.substr(begin, std::min(end, text.size()) - begin);
  const std::string value(end == std::string_view::npos ? std::string_view()
                                                        : trimmed(text.substr(end)));
  if (subject == "f" && comparison == "=") {
    return Condition(
        [value](const History& history, TxnId txn) { return history.names().of(txn) == value; });
  }
  if (subject == "f" && comparison == "~") {
    return matches(value, name_of);
  }
  const bool is_process = subject == "process" || subject == "session";
  if (is_process && comparison == "~") {
    return matches(value, process_of);
  }
  if (is_process && (comparison == "=" || comparison == "<" || comparison == "<=" ||
                     comparison == ">" || comparison == ">=")) {
    return compare_process(comparison, value);
  }
  if (subject == "key" && comparison == "~") {
    return matches(value, first_key_of);
  }
  if (subject == "first" && comparison == "=" &&
      (value == "r" || value == "w" || value == "append")) {
    return Condition([value](const History& history, TxnId txn) {
      return !history.ops(txn).empty() && function_of(history, history.ops(txn).front()) == value;
    });
  }
  return usage_error(fmt::format(
      "expected a condition such as f=NAME, f~REGEX, process<N, first=r, key~REGEX, read-only or "
      "writes, found `{}`",
      text));
}

Result<LevelRule> parse_rule(std::string_view text) {
  LevelRule rule = {.text = std::string(text)};
  const std::size_t colon = text.rfind(": ");
  const std::string_view level =
      colon == std::string_view::npos ? text : trimmed(text.substr(colon + 1));
  ELAPID_ASSIGN_OR_RETURN(const Model model, find_level_in_mix(std::string(level)));
  rule.level = friendly_name(model);
  if (colon == std::string_view::npos) {
    return rule;
  }
  for (const std::string_view part : split(text.substr(0, colon), '&')) {
    ELAPID_ASSIGN_OR_RETURN(Condition condition, parse_condition(part));
    rule.conditions.push_back(std::move(condition));
  }
  return rule;
}

bool fits(const LevelRule& rule, const History& history, TxnId txn) {
  return std::ranges::all_of(rule.conditions,
                             [&](const Condition& condition) { return condition(history, txn); });
}

}  // namespace

Result<LevelRules> parse_level_rules(std::string_view text) {
  LevelRules rules;
  for (const std::string_view part : split(text, ';')) {
    if (part.empty()) {
      continue;
    }
    Result<LevelRule> rule = parse_rule(part);
    if (!rule) {
      return usage_error(fmt::format("rule `{}`: {}", part, rule.error().message));
    }
    rules.push_back(std::move(rule).value());
  }
  if (rules.empty()) {
    return usage_error(
        "expected rules such as `f=transfer: serializable; read-committed`, found "
        "none");
  }
  return rules;
}

std::vector<std::string> apply(const LevelRules& rules, History& history) {
  if (rules.empty()) {
    return {};
  }
  TxnWords levels;
  std::vector<std::uint64_t> uses(rules.size(), 0);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const auto rule = std::ranges::find_if(
        rules, [&](const LevelRule& each) { return fits(each, history, txn); });
    if (rule != rules.end()) {
      ++uses[static_cast<std::size_t>(rule - rules.begin())];
    }
    levels.push_back(levels.number(rule == rules.end() ? history.levels().of(txn) : rule->level));
  }
  history.set_levels(std::move(levels));
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (uses[i] == 0) {
      warnings.push_back(fmt::format("the rule `{}` gives none of {} transactions its level",
                                     rules[i].text, history.txn_count()));
    }
  }
  return warnings;
}

}  // namespace elapid
