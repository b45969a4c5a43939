// A value in the result map of a workload without levels, as in the results of Jepsen's checkers: a
// tree that is printed as EDN or as JSON.
//
//   ResultValue::map({{"count", 1}, {"first", ResultValue::event({txn, EventKind::kCompletion})}})
//   {:count 1, :first {:index 3, :time 17, :type :ok, ...}}
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/verdict/event_ref.h"

namespace elapid {

struct ResultValue {
  enum class Kind : std::uint8_t {
    kNil,
    kBoolean,  ///< integer: 0 or 1
    kInteger,
    kString,
    kKeyword,  ///< text, without a colon
    kForm,     ///< text: any value as canonical EDN, such as `1/3` or `0.5`
    kValue,    ///< a value of the history
    kEvent,    ///< an operation as in the source; `items` are further entries
    kVector,
    kList,
    kSet,
    kMap,  ///< `items`: keys and values in turn
  };

  using Entries = std::vector<std::pair<std::string, ResultValue>>;

  ResultValue() = default;

  ResultValue(std::int64_t number) : kind(Kind::kInteger), integer(number) {}  // NOLINT

  static ResultValue boolean(bool truth) {
    ResultValue made(truth ? 1 : 0);
    made.kind = Kind::kBoolean;
    return made;
  }

  static ResultValue string(std::string text) { return of_text(Kind::kString, std::move(text)); }

  static ResultValue keyword(std::string text) { return of_text(Kind::kKeyword, std::move(text)); }

  static ResultValue form(std::string edn) { return of_text(Kind::kForm, std::move(edn)); }

  static ResultValue of(ValueId value) {
    ResultValue made;
    made.kind = Kind::kValue;
    made.value = value;
    return made;
  }

  static ResultValue event(EventRef ref) {
    ResultValue made;
    made.kind = Kind::kEvent;
    made.ref = ref;
    return made;
  }

  /// The operation without its :value, and with further entries.
  static ResultValue event_without_value(EventRef ref, Entries entries) {
    ResultValue made = map(std::move(entries));
    made.kind = Kind::kEvent;
    made.ref = ref;
    made.integer = 1;
    return made;
  }

  /// A vector, list or set; for a map see map().
  static ResultValue of_items(Kind kind, std::vector<ResultValue> items) {
    ResultValue made;
    made.kind = kind;
    made.items = std::move(items);
    return made;
  }

  static ResultValue vector(std::vector<ResultValue> items) {
    return of_items(Kind::kVector, std::move(items));
  }

  /// A map whose keys are keywords.
  static ResultValue map(Entries entries) {
    ResultValue made;
    made.kind = Kind::kMap;
    for (auto& [key, entry] : entries) {
      made.add(keyword(key), std::move(entry));
    }
    return made;
  }

  /// Appends an entry to a map.
  void add(ResultValue key, ResultValue entry) {
    items.push_back(std::move(key));
    items.push_back(std::move(entry));
  }

  Kind kind = Kind::kNil;
  std::int64_t integer = 0;  ///< of kEvent: 1 if its :value is left out
  std::string text = {};
  ValueId value = ValueId::none();
  EventRef ref = {};
  std::vector<ResultValue> items = {};

 private:
  static ResultValue of_text(Kind kind, std::string text) {
    ResultValue made;
    made.kind = kind;
    made.text = std::move(text);
    return made;
  }
};

}  // namespace elapid
