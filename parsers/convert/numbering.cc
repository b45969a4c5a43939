#include "parsers/convert/numbering.h"

#include <algorithm>

namespace elapid {

Numbering::Numbering(const ValuePool& values, std::span<const ValueId> names, NumberRange range,
                     std::span<const std::int64_t> reserved, bool moved_by_one)
    : values_(&values),
      range_(range),
      reserved_(reserved.begin(), reserved.end()),
      shift_(moved_by_one ? 1 : 0) {
  std::int64_t largest = 0;
  std::size_t strangers = 0;
  for (const ValueId name : names) {
    const std::optional<std::int64_t> number = own_number(name);
    strangers += number ? 0U : 1U;
    largest = std::max(largest, number.value_or(0));
  }
  const auto room = static_cast<std::uint64_t>(range.max) - static_cast<std::uint64_t>(largest);
  keeps_integers_ = room > names.size();
  shift_ = keeps_integers_ ? shift_ : 0;
  next_ = keeps_integers_ ? largest + 1 : 1;
  if (keeps_integers_ && strangers == 0) {
    return;
  }
  for (const ValueId name : names) {
    if (!own_number(name) && !others_.contains(name)) {
      others_.emplace(name, fresh());
    }
  }
}

std::int64_t Numbering::fresh() {
  while (std::ranges::find(reserved_, next_) != reserved_.end()) {
    ++next_;
  }
  return next_++;
}

std::optional<std::int64_t> Numbering::own_number(ValueId name) const {
  const std::optional<std::int64_t> number =
      values_ == nullptr ? std::nullopt : values_->as_integer(name);
  const bool fits = keeps_integers_ && number && *number < range_.max &&
                    range_.holds(*number + shift_) &&
                    std::ranges::find(reserved_, *number + shift_) == reserved_.end();
  return fits ? std::optional(*number + shift_) : std::nullopt;
}

std::int64_t Numbering::number(ValueId name) const {
  const auto found = others_.find(name);
  if (found != others_.end()) {
    return found->second;
  }
  return own_number(name).value_or(0);
}

std::vector<std::pair<std::int64_t, ValueId>> Numbering::renumbered() const {
  std::vector<std::pair<std::int64_t, ValueId>> sorted;
  for (const auto& [name, number] : others_) {
    sorted.emplace_back(number, name);
  }
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace elapid
