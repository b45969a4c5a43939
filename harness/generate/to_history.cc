#include "harness/generate/to_history.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "harness/generate/row_mops.h"

namespace elapid {

namespace {

std::optional<std::int64_t> start_of(const PlainEvent& event) {
  return event.timestamps ? std::optional(event.timestamps->start) : std::nullopt;
}

std::optional<std::int64_t> commit_of(const PlainEvent& event) {
  return event.timestamps ? std::optional(event.timestamps->commit) : std::nullopt;
}

/// Hands events over to a builder.
class HistoryWriter {
 public:
  Status add_event(const PlainEvent& event) {
    if (Status status = convert(event); !status.ok()) {
      return status;
    }
    return builder_.add_event({.type = event.type,
                               .process = event.process,
                               .index = index_++,
                               .time = event.time,
                               .mops = mops_,
                               .elements = elements_});
  }

  /// Of a completion; what its transaction was meant to do where that is all that is known.
  Status add_transaction(const PlainEvent& event) {
    if (Status status = convert(event); !status.ok()) {
      return status;
    }
    return builder_.add_transaction({.session = event.process,
                                     .status = status_of(event.type),
                                     .invocation_time = event.invoked,
                                     .completion_time = event.time,
                                     .start_timestamp = start_of(event),
                                     .commit_timestamp = commit_of(event),
                                     .mops = mops_,
                                     .elements = elements_});
  }

  Result<History> build(std::string_view format) && {
    HistoryInfo info = {.format = std::string(format)};
    if (rows_) {
      info.workload = Workload::kRows;
      info.rows = std::move(*rows_).build();
    }
    return std::move(builder_).build(std::move(info));
  }

 private:
  Status convert(const PlainEvent& event) {
    ValuePool& values = builder_.values();
    mops_.clear();
    elements_.clear();
    for (const std::int64_t element : event.elements) {
      elements_.push_back(values.integer(element));
    }
    for (const PlainMop& mop : event.mops) {
      if (mop.kind == OpKind::kRow) {
        if (Status status = add_row_op(event, mop); !status.ok()) {
          return status;
        }
        continue;
      }
      mops_.push_back({.kind = mop.kind,
                       .key = builder_.key(values.integer(mop.key)),
                       .value = mop.is_nil || mop.kind == OpKind::kReadList
                                    ? ValueId::nil()
                                    : values.integer(mop.value),
                       .list_begin = mop.list_begin,
                       .list_length = mop.list_length});
    }
    return {};
  }

  Status add_row_op(const PlainEvent& event, const PlainMop& mop) {
    if (!rows_) {
      rows_.emplace(builder_);
    }
    Result<MopInput> made = rows_->add(event, mop);
    if (!made) {
      return std::move(made.error());
    }
    mops_.push_back(made.value());
    return {};
  }

  std::int64_t index_ = 0;
  HistoryBuilder builder_;
  std::optional<RowMops> rows_ = {};  // in a history of rows
  std::vector<MopInput> mops_ = {};
  std::vector<ValueId> elements_ = {};
};

}  // namespace

Result<History> to_history(EventSource& source, bool with_timestamps) {
  HistoryWriter writer;
  PlainEvent event;
  while (source.next(event)) {
    const bool is_invocation = event.type == EventType::kInvoke;
    const Status added = with_timestamps ? is_invocation ? Status() : writer.add_transaction(event)
                         : event.is_silent ? Status()
                                           : writer.add_event(event);
    if (!added.ok()) {
      return added.error();
    }
  }
  return std::move(writer).build(with_timestamps ? "jsonl" : "edn");
}

}  // namespace elapid
