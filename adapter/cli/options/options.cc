#include "adapter/cli/options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "engine/ir/integer_text.h"
#include "engine/ir/similar_names.h"

namespace elapid {
namespace {

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = names.find(',');
    parts.emplace_back(names.substr(0, comma));
    if (comma == std::string_view::npos) {
      return parts;
    }
    names.remove_prefix(comma + 1);
  }
}

std::optional<bool> truth_of(std::string_view word) {
  return word == "true"    ? std::optional(true)
         : word == "false" ? std::optional(false)
                           : std::nullopt;
}

std::string words_of(Bounds bounds) {
  constexpr Bounds kAny;
  return bounds.most == kAny.most
             ? fmt::format("an integer of at least {}", bounds.least)
             : fmt::format("an integer from {} to {}", bounds.least, bounds.most);
}

}  // namespace

Option::Option(std::string_view names, std::string_view placeholder, std::string_view help,
               Take take, Show show)
    : names_(split_names(names)),
      placeholder_(placeholder),
      help_(help),
      take_(std::move(take)),
      show_(std::move(show)) {}

Option& Option::one_of(const std::vector<std::string_view>& choices) {
  has_only_proposals_ = true;
  return proposes(choices);
}

Option& Option::proposes(const std::vector<std::string_view>& words) {
  proposals_.assign(words.begin(), words.end());
  return *this;
}

Option& Option::required(bool is_required) {
  is_required_ = is_required;
  return *this;
}

Option& Option::excludes(std::string_view other) {
  excluded_ = other;
  return *this;
}

Option& Option::means(std::string_view placeholder, std::string_view help) {
  placeholder_ = placeholder;
  help_ = help;
  return *this;
}

Option& Option::empty_means(std::string_view value) {
  for_empty_ = value;
  return *this;
}

Option& Option::true_or_false() {
  takes_truth_ = true;
  return *this;
}

Option& Option::changes_no_answer() {
  is_part_of_question_ = false;
  return *this;
}

Option& Option::once() {
  is_repeated_ = false;
  return *this;
}

bool Option::is_called(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

Status Option::set(std::string_view typed, std::string_view value) {
  if (has_only_proposals_ && std::ranges::find(proposals_, value) == proposals_.end()) {
    return usage_error(
        fmt::format("{}: expected {}, found '{}'", typed, fmt::join(proposals_, ", "), value));
  }
  const std::optional<std::string> expected = take_(value.empty() ? for_empty_ : value);
  return expected ? Status(usage_error(
                        fmt::format("{}: expected {}, found '{}'", typed, *expected, value)))
                  : Status();
}

Options::Options() : wants_help_(std::make_unique<bool>(false)) {
  flag("-h,--help", *wants_help_, "Print this help").changes_no_answer();
}

Option& Options::add(std::string_view names, std::string_view placeholder, std::string_view help,
                     Option::Take take, Option::Show show) {
  Option& option =
      options_.emplace_back(names, placeholder, help, std::move(take), std::move(show));
  option.group_ = group_;
  return option;
}

Option& Options::flag(std::string_view names, bool& into, std::string_view help) {
  return add(
      names, "", help,
      [&into](std::string_view value) -> std::optional<std::string> {
        const std::optional<bool> truth = truth_of(value);
        into = truth.value_or(into);
        return truth ? std::nullopt : std::optional<std::string>("true or false");
      },
      [&into] { return into ? "true" : "false"; });
}

Option& Options::value(std::string_view names, std::string_view placeholder, std::string& into,
                       std::string_view help) {
  return add(
      names, placeholder, help,
      [&into](std::string_view value) {
        into = value;
        return std::optional<std::string>();
      },
      [&into] { return into; });
}

Option& Options::value(std::string_view names, std::string_view placeholder,
                       std::optional<std::string>& into, std::string_view help) {
  return add(
      names, placeholder, help,
      [&into](std::string_view value) {
        into = value;
        return std::optional<std::string>();
      },
      [&into] { return into.value_or(""); });
}

Option& Options::argument(std::string_view name, std::string& into, std::string_view help) {
  return value(name, name, into, help);
}

Option& Options::values(std::string_view names, std::string_view placeholder,
                        std::vector<std::string>& into, std::string_view help) {
  Option& option = add(
      names, placeholder, help,
      [&into](std::string_view value) {
        into.emplace_back(value);
        return std::optional<std::string>();
      },
      [&into] { return fmt::format("{}", fmt::join(into, "\n")); });
  option.is_repeated_ = true;
  return option;
}

Option& Options::argument(std::string_view name, std::vector<std::string>& into,
                          std::string_view help) {
  return values(name, name, into, help);
}

Option& Options::add_number(std::string_view names, std::string_view placeholder,
                            std::function<void(std::int64_t)> set, Option::Show show,
                            std::string_view help, Bounds bounds) {
  return add(
      names, placeholder, help,
      [set = std::move(set), bounds](std::string_view value) -> std::optional<std::string> {
        const std::optional<std::int64_t> number = integer_of(value);
        if (!number || *number < bounds.least || *number > bounds.most) {
          return words_of(bounds);
        }
        set(*number);
        return std::nullopt;
      },
      std::move(show));
}

const Option* Options::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(options_, [&](const Option& option) { return option.is_called(name); });
  return found == options_.end() ? nullptr : &*found;
}

Option& Options::at(std::string_view name) {
  return *std::ranges::find_if(options_,
                               [&](const Option& option) { return option.is_called(name); });
}

Error Options::unknown(std::string_view name) const {
  std::vector<std::string_view> known;
  for (const Option& option : options_) {
    std::ranges::copy_if(option.names(), std::back_inserter(known),
                         [](const std::string& one) { return one.starts_with("--"); });
  }
  const bool is_letter = name.size() == 2;  // every other letter is equally near
  return usage_error(
      fmt::format("there is no option {}{}", name, is_letter ? "" : nearest(name, known)));
}

std::string answer_words(const Options& set, const Options& unset) {
  std::string words;
  for (std::size_t i = 0; i < set.all().size(); ++i) {
    const Option& option = set.all()[i];
    const std::string text = option.text();
    if (option.is_part_of_question() && text != unset.all()[i].text()) {
      words += " " + option.names().front();
      words += option.is_flag() ? "" : " " + shell_word(text);
    }
  }
  return words;
}

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

std::string nearest(std::string_view name, const std::vector<std::string_view>& known) {
  const std::vector<std::string> similar = similar_names(name, known, 1);
  return similar.empty() ? "" : fmt::format("; did you mean {}?", similar.front());
}

}  // namespace elapid
