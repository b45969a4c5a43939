#include "adapter/elle/description_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include "adapter/elle/elision.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

constexpr std::size_t kMaxItems = 8;    // of transactions, versions, ... in one sentence
constexpr std::size_t kMaxClaims = 16;  // more show their beginning and their end only
constexpr std::size_t kClaimsBeforeGap = 7;
constexpr std::size_t kClaimsAfterGap = 4;
constexpr std::size_t kLongFolder = 40;  // bytes: longer ones are named once

/// Writes claims, and then the actors that they mention.
class DescriptionText {
 public:
  DescriptionText(const History& history, const std::vector<Actor>& actors,
                  const TextOptions& options)
      : history_(history), actors_(actors), options_(options) {}

  /// A line for each claim.
  std::string claims(const std::vector<Claim>& claims, std::size_t indent = 2) {
    const bool is_whole = options_.full || claims.size() <= kMaxClaims;
    const std::size_t gap_begin = is_whole ? claims.size() : kClaimsBeforeGap;
    const std::size_t gap_end = is_whole ? claims.size() : claims.size() - kClaimsAfterGap;
    std::string text;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (i == gap_begin) {
        text += fmt::format("{:{}}- … {} more steps …\n", "", indent, gap_end - gap_begin);
        i = gap_end;
      }
      text += fmt::format("{:{}}- {}\n", "", indent, words(claims[i].says));
      text += this->claims(claims[i].steps, indent + 2);
    }
    return text;
  }

  std::string words(const Phrase& phrase) {
    std::string text;
    for (const Part& part : phrase) {
      text += std::visit([this](const auto& typed) { return words(typed); }, part.content);
    }
    return text;
  }

  /// The definitions behind `Let:` and `Then:`, of the actors mentioned so far; empty without
  /// actors.
  [[nodiscard]] std::string cast() const {
    if (mentioned_.empty()) {
      return "";
    }
    std::string text = "Let:\n";
    std::string folder;
    std::size_t left_out = 0;
    const auto end_gap = [&] {
      text += left_out == 0 ? "" : fmt::format("  … {} more transactions …\n", left_out);
      left_out = 0;
    };
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      if (mentioned_.contains(i)) {
        end_gap();
        text += "  " + definition(i, folder) + "\n";
      } else {
        ++left_out;
      }
    }
    end_gap();
    return text + "\nThen:\n";
  }

 private:
  /// The text of a part, made visible: it may hold any bytes of the history.
  std::string words(const std::string& text) { return visible_line(text); }

  std::string words(const ActorPart& part) {
    mentioned_.insert(part.actor);
    const TxnId txn = actors_[part.actor].event.txn;
    return name(part.actor) +
           (part.with_place
                ? " (" + visible_line(cited(history_, std::span(&txn, std::size_t{1}), options_)) +
                      ")"
                : "");
  }

  std::string words(const TxnsPart& part) {
    return visible_line(cited(history_, part.txns, options_));
  }

  std::string words(const ValuePart& part) { return history_.shown_text(part.value); }

  std::string words(const ListPart& part) {
    return visible_line(options_.full ? whole_list(history_, part.elements)
                                      : elided_list(history_, part.elements, part.focus));
  }

  std::string words(const SeriesPart& part) {
    std::vector<std::string> items;
    for (const Phrase& item : part.items) {
      const bool is_shown = options_.full || items.size() < kMaxItems;
      items.push_back(is_shown ? words(item) : "");
    }
    return enumeration(items, options_.full);
  }

  [[nodiscard]] std::string name(std::size_t actor) const {
    return emphasised(fmt::format("T{}", actor + 1), options_);
  }

  /// `place` without its folder, if the folder is long and was named just before.
  [[nodiscard]] std::string shortened(std::string place, std::string& folder) const {
    const std::size_t length = place.rfind('/') + 1;  // 0: no folder
    if (options_.full || length <= kLongFolder) {
      return place;
    }
    const bool is_known = place.compare(0, length, folder) == 0;
    folder = place.substr(0, length);
    return is_known ? "…/" + place.substr(length) : place;
  }

  /// The definition of an actor. `folder` is that of the previous one.
  [[nodiscard]] std::string definition(std::size_t number, std::string& folder) const {
    const Actor& actor = actors_[number];
    std::string text;
    if (options_.place) {
      text += shortened(options_.place(actor.event.txn, actor.event.kind), folder) + " ";
    } else if (history_.info().is_session_trace) {
      text += place_in_session(history_, actor.event.txn) + " ";
    }
    text += options_.full ? whole_event(history_, actor.event, options_.fields)
                          : elided_event(history_, actor.event, options_.fields, actor.focus);
    return name(number) + " = " + visible_line(text);
  }

  const History& history_;
  const std::vector<Actor>& actors_;
  const TextOptions& options_;
  std::set<std::size_t> mentioned_ = {};
};

std::string rest(const Finding& finding) {
  return finding.count > 1 ? fmt::format("and {} more of {}\n", finding.count - 1,
                                         visible_line(finding.description.name))
                           : "";
}

std::string title(const Description& description, std::string_view addition,
                  const TextOptions& options) {
  return emphasised(visible_line(description.name), options) + std::string(addition) +
         (description.gloss.empty() ? "" : ": " + visible_line(description.gloss)) + "\n";
}

}  // namespace

std::string place_in_session(const History& history, TxnId txn) {
  const SessionId session = history.session(txn);
  const std::span<const TxnId> txns = history.session_txns(session);
  return fmt::format("session {}, transaction {}", history.session_text(session),
                     std::ranges::find(txns, txn) - txns.begin() + 1);
}

std::string cited(const History& history, std::span<const TxnId> txns, const TextOptions& options) {
  if (options.cite) {
    return options.cite(txns);
  }
  std::vector<std::string> numbers;
  const bool is_trace = history.info().is_session_trace;
  for (const TxnId txn : txns) {
    numbers.push_back(is_trace ? place_in_session(history, txn)
                               : fmt::to_string(history.representative(txn).index));
  }
  return is_trace ? fmt::format("{}", fmt::join(numbers, "; "))
                  : "index " + enumeration(numbers, options.full);
}

std::string emphasised(std::string text, const TextOptions& options) {
  return options.colour ? std::string(kBoldOn) + text + std::string(kBoldOff) : text;
}

std::string enumeration(std::span<const std::string> items, bool full) {
  const std::size_t shown = full ? items.size() : std::min(items.size(), kMaxItems);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += i == 0 ? "" : i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return shown == items.size() ? text : fmt::format("{} and {} more", text, items.size() - shown);
}

std::string to_text(const History& history, const Description& description,
                    const TextOptions& options) {
  DescriptionText writer(history, description.actors, options);
  const std::string claims = writer.claims(description.claims);
  std::string text = writer.cast() + claims;
  if (!text.empty()) {
    text.pop_back();
  }
  return text;
}

std::string to_text(const History& history, const Description& description, const Phrase& phrase,
                    const TextOptions& options) {
  return DescriptionText(history, description.actors, options).words(phrase);
}

std::string to_text(const History& history, const Finding& finding, const TextOptions& options) {
  DescriptionText writer(history, finding.description.actors, options);
  std::string claims = writer.claims(finding.description.claims) + rest(finding);
  for (const Finding& follower : finding.followers) {
    claims += "\n" +
              title(follower.description,
                    finding.description.actors.size() == 1 ? ", of the same transaction"
                                                           : ", of the same transactions",
                    options) +
              writer.claims(follower.description.claims) + rest(follower);
  }
  return title(finding.description, "", options) + writer.cast() + claims + "\n";
}

}  // namespace elapid
