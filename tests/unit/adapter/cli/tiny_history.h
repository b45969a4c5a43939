// Tiny histories in one line each, for tests of what is shown about a history.
#ifndef ELAPID_TESTS_UNIT_ADAPTER_CLI_TINY_HISTORY_H_
#define ELAPID_TESTS_UNIT_ADAPTER_CLI_TINY_HISTORY_H_

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {

/// A micro-operation on an integer key.
struct TinyMop {
  OpKind kind;
  std::int64_t key;
  std::vector<std::int64_t> values;
};

inline TinyMop append(std::int64_t key, std::int64_t value) {
  return {OpKind::kAppend, key, {value}};
}

inline TinyMop write(std::int64_t key, std::int64_t value) {
  return {OpKind::kWrite, key, {value}};
}

inline TinyMop read(std::int64_t key, std::int64_t value) {
  return {OpKind::kRead, key, {value}};
}

inline TinyMop read_list(std::int64_t key, std::vector<std::int64_t> values) {
  return {OpKind::kReadList, key, std::move(values)};
}

/// Builds a history event by event. The n-th event stands at byte 10 n, and at n seconds.
class TinyHistory {
 public:
  TinyHistory& event(EventType type, std::int64_t process, std::initializer_list<TinyMop> mops) {
    std::vector<MopInput> inputs;
    std::vector<ValueId> elements;
    for (const TinyMop& mop : mops) {
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
  TinyHistory& txn(EventType type, std::int64_t process, std::initializer_list<TinyMop> mops) {
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

#endif  // ELAPID_TESTS_UNIT_ADAPTER_CLI_TINY_HISTORY_H_
