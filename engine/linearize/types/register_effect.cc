#include "engine/linearize/types/register_effect.h"

#include <algorithm>
#include <map>
#include <span>

namespace elapid::linearize {

namespace {

using ByRegister = std::map<std::uint32_t, std::uint32_t>;

RegisterEffect effect_of(std::span<const RegisterStep> steps, const ByRegister& number_of) {
  ByRegister reads;
  ByRegister writes;
  RegisterEffect effect;
  for (const RegisterStep& step : steps) {
    const std::uint32_t number = number_of.at(step.key.value);
    const std::uint32_t value = step.value.bits();
    if (step.is_write) {
      writes[number] = value;
      continue;
    }
    const auto written = writes.find(number);
    const std::uint32_t seen =
        written != writes.end() ? written->second : reads.try_emplace(number, value).first->second;
    effect.is_possible = effect.is_possible && seen == value;
  }
  effect.reads.assign(reads.begin(), reads.end());
  effect.writes.assign(writes.begin(), writes.end());
  return effect;
}

}  // namespace

bool has(const std::vector<Cell>& cells, std::uint32_t number) {
  return std::ranges::binary_search(cells, number, {}, &Cell::first);
}

bool hides(const RegisterEffect& effect, const RegisterEffect& hidden) {
  return hidden.is_possible && hidden.reads.empty() &&
         std::ranges::all_of(hidden.writes, [&](const Cell& cell) {
           return has(effect.writes, cell.first) && !has(effect.reads, cell.first);
         });
}

bool hinders(const RegisterEffect& effect, const RegisterEffect& other) {
  const auto is_written = [&](const Cell& cell) { return has(effect.writes, cell.first); };
  return std::ranges::any_of(other.reads, is_written) ||
         (std::ranges::any_of(other.writes, is_written) && !hides(effect, other));
}

RegisterEffects::RegisterEffects(const Operations& operations, const RegisterCalls& calls,
                                 const InitialValues& initial)
    : classes_(effect_classes(operations)) {
  ByRegister number_of;
  for (const auto& [key, value] : initial) {
    number_of.emplace(key, number_of.size());
  }
  for (const std::uint32_t example : classes_.example) {
    effects_.push_back(effect_of(calls.at(operations[example].argument), number_of));
  }
}

}  // namespace elapid::linearize
