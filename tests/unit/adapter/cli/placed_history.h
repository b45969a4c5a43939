// Histories whose events stand at known places and times, for tests of what is shown about a
// history.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {

/// A micro-operation on an integer key.
struct PlacedMop {
  OpKind kind;
  std::int64_t key;
  std::vector<std::int64_t> values;
};

inline PlacedMop append(std::int64_t key, std::int64_t value) {
  return {OpKind::kAppend, key, {value}};
}

inline PlacedMop write(std::int64_t key, std::int64_t value) {
  return {OpKind::kWrite, key, {value}};
}

inline PlacedMop read(std::int64_t key, std::int64_t value) {
  return {OpKind::kRead, key, {value}};
}

inline PlacedMop read_list(std::int64_t key, std::vector<std::int64_t> values) {
  return {OpKind::kReadList, key, std::move(values)};
}

/// Builds a history event by event. The n-th event stands at byte 10 n, and at n seconds.
class PlacedHistory {
 public:
  PlacedHistory& event(EventType type, std::int64_t process,
                       std::initializer_list<PlacedMop> mops) {
    std::vector<MopInput> inputs;
    std::vector<ValueId> elements;
    for (const PlacedMop& mop : mops) {
      MopInput input = {.kind = mop.kind, .key = builder_.key(ValueId::integer(mop.key))};
      if (mop.kind == OpKind::kReadList) {
        input.list_begin = static_cast<std::uint32_t>(elements.size());
        input.list_length = static_cast<std::uint32_t>(mop.values.size());
        for (const std::int64_t value : mop.values) {
          elements.push_back(ValueId::integer(value));
        }
      } else {
        input.value = ValueId::integer(mop.values.front());
      }
      inputs.push_back(input);
    }
    const auto place = static_cast<std::uint64_t>(events_++);
    ok_ = ok_ && builder_
                     .add_event({.type = type,
                                 .process = process,
                                 .time = static_cast<std::int64_t>(place) * 1'000'000'000,
                                 .position = {.offset = place * 10},
                                 .mops = inputs,
                                 .elements = elements})
                     .ok();
    return *this;
  }

  /// An invocation and its completion.
  PlacedHistory& txn(EventType type, std::int64_t process, std::initializer_list<PlacedMop> mops) {
    return event(EventType::kInvoke, process, mops).event(type, process, mops);
  }

  /// An error if the builder refused an event.
  Result<History> build() {
    if (!ok_) {
      return Error{.message = "an event was refused"};
    }
    return std::move(builder_).build({.format = "edn", .files = {"tiny.edn"}});
  }

 private:
  HistoryBuilder builder_;
  std::int64_t events_ = 0;
  bool ok_ = true;
};

}  // namespace elapid
