#include "adapter/cli/check_words.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

namespace elapid {
namespace {

class QuestionWords {
 public:
  void value(std::string_view name, const std::string& typed, std::string_view otherwise = "") {
    if (typed != otherwise) {
      text_ += " " + std::string(name) + " " + shell_word(typed);
    }
  }

  template <class Integer>
  void number(std::string_view name, std::optional<Integer> typed) {
    value(name, typed ? std::to_string(*typed) : "");
  }

  void flag(std::string_view name, bool is_set) { text_ += is_set ? " " + std::string(name) : ""; }

  std::string take() && { return std::move(text_); }

 private:
  std::string text_ = {};
};

}  // namespace

std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
  });
  if (is_plain) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? R"('\'')" : std::string(1, c);
  }
  return quoted + "'";
}

std::string question_words(const CheckFlags& flags) {
  QuestionWords words;
  words.value("-f", flags.input.format);
  words.value("-m", flags.input.workload);
  words.value("--initial", flags.input.initial);
  words.flag("--salvage", flags.input.salvage);
  words.value("--max-line", flags.input.max_line);
  words.flag("--independent", flags.input.independent);
  words.value("-c", flags.consistency_models);
  words.value("-a", flags.anomalies, "none");
  words.value("--engine", flags.engine, "auto");
  words.number("--clock-skew", flags.clock_skew);
  words.flag("--cross-check", flags.cross_check);
  words.flag("--elle-compat", flags.elle_compat);
  words.flag("--wfr-keys", flags.wfr_keys);
  words.flag("--sequential-keys", flags.sequential_keys);
  words.flag("--linearizable-keys", flags.linearizable_keys);
  words.value("--transaction-order", flags.transaction_order);
  if (flags.cycle_search_timeout_ms > 0) {
    words.number("-s", std::optional(flags.cycle_search_timeout_ms));
  }
  words.number("--work", flags.work);
  words.value("--timeout", flags.timeout);
  words.value("--memory", flags.memory);
  return std::move(words).take();
}

}  // namespace elapid
