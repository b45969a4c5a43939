#include "harness/compare/command.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace elapid {
namespace {

/// The next `{word}` at or behind `from`: where it begins, and the word.
struct Slot {
  std::size_t begin = std::string_view::npos;
  std::string_view word = {};

  [[nodiscard]] std::size_t end() const { return begin + word.size() + 2; }
};

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '-';
}

Slot next_slot(std::string_view text, std::size_t from) {
  for (std::size_t open = text.find('{', from); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    std::size_t close = open + 1;
    while (close < text.size() && is_word_letter(text[close])) {
      ++close;
    }
    if (close > open + 1 && close < text.size() && text[close] == '}') {
      return {open, text.substr(open + 1, close - open - 1)};
    }
  }
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) {
    all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

/// The text in place of the placeholder, which must be known.
std::string meaning(std::string_view word, const CommandWords& words) {
  return word == "input"         ? words.input
         : word == "dir"         ? words.dir
         : word == "work"        ? words.work
         : word == "level"       ? joined(words.level)
         : word == "format"      ? words.format
         : word == "workload"    ? words.workload
         : word == "program"     ? words.program
         : word == "program-dir" ? std::filesystem::path(words.program).parent_path().string()
         : word == "here"        ? words.here
                                 : words.memory;
}

bool is_placeholder(std::string_view word) {
  return std::ranges::find(kPlaceholders, word) != kPlaceholders.end();
}

}  // namespace

std::optional<std::string> unknown_placeholder(std::string_view argument) {
  for (Slot slot = next_slot(argument, 0); slot.begin != std::string_view::npos;
       slot = next_slot(argument, slot.end())) {
    if (!is_placeholder(slot.word)) {
      return std::string(argument.substr(slot.begin, slot.end() - slot.begin));
    }
  }
  return std::nullopt;
}

bool has_placeholder(std::string_view argument, std::string_view name) {
  return argument.find("{" + std::string(name) + "}") != std::string_view::npos;
}

std::vector<std::string> expand(std::string_view argument, const CommandWords& words) {
  if (argument == "{level}") {
    return words.level;
  }
  std::string out;
  std::size_t done = 0;
  for (Slot slot = next_slot(argument, 0); slot.begin != std::string_view::npos;
       slot = next_slot(argument, slot.end())) {
    out += argument.substr(done, slot.begin - done);
    out += meaning(slot.word, words);
    done = slot.end();
  }
  return {out + std::string(argument.substr(done))};
}

std::vector<std::string> expand(const std::vector<std::string>& command,
                                const CommandWords& words) {
  std::vector<std::string> all;
  for (const std::string& argument : command) {
    std::ranges::move(expand(argument, words), std::back_inserter(all));
  }
  return all;
}

}  // namespace elapid
