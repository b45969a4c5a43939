// A value that a checker assumed, and its source, as `:elapid/settings` of a result shows it.
//
//   {:total-amount {:value 100, :source :first-read}, :accounts {:value (0 1), :source :test-map}}
//
// Sources: `given` by the user, the `test-map` of the store, or a fact of the history.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/verdict/result_value.h"
#include "engine/verdict/verdict.h"

namespace elapid {

[[nodiscard]] inline ResultValue setting(ResultValue value, std::string_view source) {
  return ResultValue::map(
      {{"value", std::move(value)}, {"source", ResultValue::keyword(std::string(source))}});
}

[[nodiscard]] inline ResultEntry settings_entry(ResultValue::Entries settings) {
  return {"elapid/settings", ResultValue::map(std::move(settings))};
}

}  // namespace elapid
