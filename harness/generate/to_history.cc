#include "harness/generate/to_history.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {

namespace {

/// Hands events over to a builder.
class HistoryWriter {
 public:
  Status add_event(const PlainEvent& event) {
    convert(event);
    return builder_.add_event({.type = event.type,
                               .process = event.process,
                               .index = event.index,
                               .time = event.time,
                               .mops = mops_,
                               .elements = elements_});
  }

  /// Of a completion; what its transaction was meant to do where that is all that is known.
  Status add_transaction(const PlainEvent& event) {
    convert(event);
    return builder_.add_transaction({.session = event.process,
                                     .status = status_of(event.type),
                                     .invocation_time = event.invoked,
                                     .completion_time = event.time,
                                     .start_timestamp = event.timestamps->start,
                                     .commit_timestamp = event.timestamps->commit,
                                     .mops = mops_,
                                     .elements = elements_});
  }

  Result<History> build(std::string_view format) && {
    return std::move(builder_).build({.format = std::string(format)});
  }

 private:
  void convert(const PlainEvent& event) {
    ValuePool& values = builder_.values();
    mops_.clear();
    elements_.clear();
    for (const std::int64_t element : event.elements) {
      elements_.push_back(values.integer(element));
    }
    for (const PlainMop& mop : event.mops) {
      mops_.push_back({.kind = mop.kind,
                       .key = builder_.key(values.integer(mop.key)),
                       .value = mop.is_nil || mop.kind == OpKind::kReadList
                                    ? ValueId::nil()
                                    : values.integer(mop.value),
                       .list_begin = mop.list_begin,
                       .list_length = mop.list_length});
    }
  }

  HistoryBuilder builder_;
  std::vector<MopInput> mops_ = {};
  std::vector<ValueId> elements_ = {};
};

}  // namespace

Result<History> to_history(EventSource& source, bool with_timestamps) {
  HistoryWriter writer;
  PlainEvent event;
  for (std::int64_t index = 0; source.next(event); ++index) {
    event.index = index;
    const bool is_invocation = event.type == EventType::kInvoke;
    const Status added = !with_timestamps ? writer.add_event(event)
                         : is_invocation  ? Status()
                                          : writer.add_transaction(event);
    if (!added.ok()) {
      return added.error();
    }
  }
  return std::move(writer).build(with_timestamps ? "jsonl" : "edn");
}

}  // namespace elapid
