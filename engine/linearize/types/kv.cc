#include "engine/linearize/types/kv.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"

namespace elapid::linearize {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;

/// The hash of a text that continues the text of `before` with these bytes.
std::uint64_t hash_on(std::uint64_t before, std::string_view bytes) {
  for (const char c : bytes) {
    before = (before + static_cast<unsigned char>(c) + 1) * kBase;
  }
  return before;
}

bool writes(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(KvF::kPut) ||
         op.f == static_cast<std::uint8_t>(KvF::kAppend);
}

/// The text between the quotes of a string; of other values how they are written.
std::string unquoted(const ValuePool& pool, ValueId value) {
  const std::string text = pool.text(value);
  return pool.class_of(value) == ValueClass::kString ? text.substr(1, text.size() - 2) : text;
}

/// The written texts that gets show. If no written text begins with another, there is at most one
/// way to take apart what a get shows.
class SeenTexts {
 public:
  SeenTexts(const Operations& operations, ValueId initial, const ValuePool& pool) : pool_(pool) {
    for (const Operation& op : operations) {
      if (writes(op) && !op.argument.is_nil()) {
        written_.push_back(unquoted(pool, op.argument));
      }
    }
    if (!initial.is_nil()) {
      written_.push_back(unquoted(pool, initial));
    }
    std::erase(written_, "");
    std::ranges::sort(written_);
    written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
    is_seen_.resize(written_.size());
    has_one_way_ = std::ranges::adjacent_find(written_, [](const auto& text, const auto& next) {
                     return next.starts_with(text);
                   }) == written_.end();
    for (const Operation& op : operations) {
      if (!op.result.is_none()) {
        look_at(unquoted(pool, op.result));
      }
    }
  }

  /// False only if no get shows the text, or a get that shows it has no explanation. After nil,
  /// which shows nothing, appends begin anew.
  [[nodiscard]] bool may_show(ValueId text) const {
    if (text.is_nil()) {
      return true;
    }
    const std::string wanted = unquoted(pool_, text);
    if (!has_one_way_) {
      return std::ranges::any_of(shown_, [&](const std::string& shown) {
        return shown.find(wanted) != std::string::npos;
      });
    }
    const auto at = std::ranges::lower_bound(written_, wanted);
    return wanted.empty() || is_seen_[static_cast<std::size_t>(at - written_.begin())];
  }

 private:
  /// Most texts continue the last one, or are a part of it.
  void look_at(std::string text) {
    if (!has_one_way_) {
      shown_.push_back(std::move(text));
      return;
    }
    if (last_.starts_with(text)) {
      return;
    }
    std::size_t begin = text.starts_with(last_) ? last_.size() : 0;
    while (begin < text.size()) {
      const std::string_view rest = std::string_view(text).substr(begin);
      const auto after = std::ranges::upper_bound(written_, rest);
      if (after == written_.begin() || !rest.starts_with(*(after - 1))) {
        return;
      }
      is_seen_[static_cast<std::size_t>(after - 1 - written_.begin())] = true;
      begin += (after - 1)->size();
    }
    last_ = std::move(text);
  }

  const ValuePool& pool_;
  std::vector<std::string> written_;  // sorted
  std::vector<bool> is_seen_;
  bool has_one_way_ = false;
  std::vector<std::string> shown_;  // where there are several ways
  std::string last_;                // the last one that was taken apart as a whole
};

}  // namespace

Judgement judge_kv(const Operations& operations, ValueId initial, const ValuePool& pool,
                   std::uint64_t work) {
  const auto is_open_write = [](const Operation& op) { return op.is_open() && writes(op); };
  if (std::ranges::none_of(operations, is_open_write)) {
    return sweep(operations, KvModel(initial, pool), work);
  }
  const SeenTexts seen(operations, initial, pool);
  Part part;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    if (!is_open_write(op) || seen.may_show(op.argument)) {
      part.add(op, place);
    }
  }
  return part.of_whole(sweep(part.operations, KvModel(initial, pool), work));
}

KvModel::KvModel(ValueId initial, const ValuePool& pool) : pool_(pool) {
  static_cast<void>(link(kFirst, initial));
}

void KvModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  switch (static_cast<KvF>(op.f)) {
    case KvF::kGet:
      if (op.result.is_none() || shows(state[0], op.result)) {
        next.push_back(state);
      }
      return;
    case KvF::kPut:
      next.push_back({link(kFirst, op.argument)});
      return;
    case KvF::kAppend:
      next.push_back({link(state[0], op.argument)});
      return;
    case KvF::kDelete:
      next.push_back({0});
      return;
  }
}

std::uint32_t KvModel::link(std::uint32_t before, ValueId value) const {
  const auto fresh = static_cast<std::uint32_t>(links_.size());
  const std::int64_t key =
      static_cast<std::int64_t>(std::uint64_t{before} << 32 | std::uint64_t{value.bits()});
  const std::uint32_t number = number_of_.find_or_add(key, fresh);
  if (number == fresh) {
    const std::string text = value.is_nil() ? "" : text_of(value);
    const Link old = before == kFirst ? Link{kFirst, value, 0, 0} : links_[before];
    links_.push_back({before, value, old.length + text.size(), hash_on(old.hash, text)});
  }
  return number;
}

bool KvModel::shows(std::uint32_t link, ValueId result) const {
  if (links_[link].before == kFirst) {
    return links_[link].value == result;
  }
  if (!is_text(result)) {
    return false;
  }
  const std::string text = text_of(result);
  if (text.size() != links_[link].length || hash_on(0, text) != links_[link].hash) {
    return false;
  }
  std::size_t end = text.size();
  for (; link != kFirst; link = links_[link].before) {
    const ValueId value = links_[link].value;
    const std::string part = value.is_nil() ? "" : text_of(value);
    end -= part.size();
    if (text.compare(end, part.size(), part) != 0) {
      return false;
    }
  }
  return true;
}

std::string KvModel::text_of(ValueId value) const {
  return unquoted(pool_, value);
}

bool KvModel::is_text(ValueId value) const {
  return !value.is_none() && pool_.class_of(value) == ValueClass::kString;
}

}  // namespace elapid::linearize
