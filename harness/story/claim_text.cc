#include "harness/story/claim_text.h"

#include <cstddef>
#include <variant>

#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"

namespace elapid {

namespace {

/// `a`, `a and b`, `a, b and c`
std::string series(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += i == 0 ? "" : i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

class ClaimText {
 public:
  ClaimText(const History& history, const std::vector<Actor>& actors,
            const std::function<std::string(TxnId)>& label)
      : history_(history), actors_(actors), label_(label) {}

  void add(const std::vector<Claim>& claims, std::size_t indent) {
    for (const Claim& claim : claims) {
      lines_.push_back(std::string(indent, ' ') + visible_line(words(claim.says)));
      add(claim.steps, indent + 2);
    }
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  [[nodiscard]] std::string words(const Phrase& phrase) const {
    std::string text;
    for (const Part& part : phrase) {
      text += std::visit([this](const auto& typed) { return words(typed); }, part.content);
    }
    return text;
  }

  [[nodiscard]] std::string words(const std::string& text) const { return text; }

  [[nodiscard]] std::string words(const ActorPart& part) const {
    return label_(actors_[part.actor].event.txn);
  }

  [[nodiscard]] std::string words(const TxnsPart& part) const {
    auto labels = mapped<std::string>(part.txns, [&](TxnId txn) { return label_(txn); });
    return series(labels);
  }

  [[nodiscard]] std::string words(const ValuePart& part) const {
    return history_.shown_text(part.value);
  }

  [[nodiscard]] std::string words(const ListPart& part) const {
    return list_text(history_, part.elements);
  }

  [[nodiscard]] std::string words(const SeriesPart& part) const {
    auto items = mapped<std::string>(part.items, [&](const Phrase& item) { return words(item); });
    return series(items);
  }

  const History& history_;
  const std::vector<Actor>& actors_;
  const std::function<std::string(TxnId)>& label_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string list_text(const History& history, std::span<const ValueId> elements) {
  constexpr std::size_t kWhole = 12;
  constexpr std::size_t kEnd = 3;
  std::string text = "[";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements.size() > kWhole && i == kEnd) {
      text += " …";
      i = elements.size() - kEnd;
    }
    text += (i == 0 ? "" : " ") + history.shown_text(elements[i]);
  }
  return text + "]";
}

std::vector<std::string> claim_lines(const History& history, const Description& description,
                                     const std::function<std::string(TxnId)>& label) {
  ClaimText text(history, description.actors, label);
  text.add(description.claims, 0);
  return text.take();
}

}  // namespace elapid
