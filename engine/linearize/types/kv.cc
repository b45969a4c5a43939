#include "engine/linearize/types/kv.h"

#include <algorithm>
#include <cstddef>

#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"

namespace elapid::linearize {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;

/// Of a text that goes on: that of `before`, then these bytes.
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

/// Whether a get shows what the operation wrote, perhaps.
bool is_seen(const Operation& op, const Operations& operations, const ValuePool& pool) {
  std::string text = pool.text(op.argument);
  if (pool.class_of(op.argument) == ValueClass::kString) {
    text = text.substr(1, text.size() - 2);
  }
  return std::any_of(operations.begin(), operations.end(), [&](const Operation& other) {
    return !other.result.is_none() && pool.text(other.result).find(text) != std::string::npos;
  });
}

}  // namespace

Judgement judge_kv(const Operations& operations, ValueId initial, const ValuePool& pool,
                   std::uint64_t work) {
  Part part;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    if (!op.is_open() || !writes(op) || is_seen(op, operations, pool)) {
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
  const std::string text = pool_.text(value);
  return is_text(value) ? text.substr(1, text.size() - 2) : text;
}

bool KvModel::is_text(ValueId value) const {
  return !value.is_none() && pool_.class_of(value) == ValueClass::kString;
}

}  // namespace elapid::linearize
