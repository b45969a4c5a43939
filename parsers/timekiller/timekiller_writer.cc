#include "parsers/timekiller/timekiller_format.h"

#include <memory>
#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/fast_text.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

/// Writes the physical and the logical part of a timestamp.
template <class Out>
void write_timestamp(std::int64_t timestamp, unsigned logical_bits, Out& out) {
  const std::int64_t logical = timestamp & ((std::int64_t{1} << logical_bits) - 1);
  out << "{\"p\": " << (timestamp >> logical_bits) << ", \"l\": " << logical << '}';
}

/// Writes the fields before the operations of the transaction at a place.
template <class Out>
void write_head(std::int64_t place, std::int64_t session, PlannedTimestamps timestamps,
                unsigned logical_bits, Out& out) {
  out << (place == 0 ? "" : ",\n ") << "{\"tid\": " << place + 1 << ", \"sid\": " << session
      << ", \"sts\": ";
  write_timestamp(timestamps.start, logical_bits, out);
  out << ", \"cts\": ";
  write_timestamp(timestamps.commit, logical_bits, out);
  out << ", \"ops\": [";
}

std::string_view function(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return "w";
    case OpKind::kAppend:
      return "a";
    default:
      return "r";
  }
}

void write_mop(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  out << "{\"t\": \"" << function(op.kind) << "\", \"k\": " << op.key_number << ", \"v\": ";
  if (op.kind == OpKind::kReadList) {
    out << '[';
    for (std::size_t i = 0; i < op.elements.size(); ++i) {
      out << (i == 0 ? "" : ", ") << plan.value_number(op.elements[i]);
    }
    out << "]}";
  } else if (op.is_initial) {
    out << "null}";
  } else {
    out << op.value_number << '}';
  }
}

}  // namespace

Status write_timekiller(const Plan& plan, OutputFile& out) {
  const unsigned logical_bits = plan.history().info().logical_bits;
  const std::vector<PlannedTimestamps> timestamps = plan_timestamps(plan);
  std::vector<PlannedOp> ops;
  out << '[';
  for (std::size_t place = 0; place < timestamps.size(); ++place) {
    const PlannedTxn& txn = plan.txns()[place];
    write_head(static_cast<std::int64_t>(place), txn.session, timestamps[place], logical_bits, out);
    plan.ops(txn, ops);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      out << (i == 0 ? "" : ", ");
      write_mop(plan, ops[i], out);
    }
    out << "]}";
  }
  out << "]\n";
  return {};
}

namespace {

/// Writes transactions as they commit.
class TimekillerEventWriter : public PlainEventWriter {
 public:
  std::string_view begin() override { return "["; }

  std::string_view write(const PlainEvent& event) override {
    text_.clear();
    if (event.type != EventType::kOk) {
      return {};
    }
    write_head(place_++, event.process, {event.timestamps->start, event.timestamps->commit}, 0,
               text_);
    for (std::size_t i = 0; i < event.mops.size(); ++i) {
      text_ << (i == 0 ? "" : ", ");
      append_mop(event, event.mops[i]);
    }
    text_ << "]}";
    return text_.view();
  }

  std::string_view end() override { return "]\n"; }

 private:
  void append_mop(const PlainEvent& event, const PlainMop& mop) {
    text_ << "{\"t\": \"" << function(mop.kind) << "\", \"k\": " << mop.key << ", \"v\": ";
    if (mop.kind == OpKind::kReadList) {
      text_ << '[';
      for (std::uint32_t i = 0; i < mop.list_length; ++i) {
        text_ << (i == 0 ? "" : ", ") << event.elements[mop.list_begin + i];
      }
      text_ << "]}";
    } else if (mop.is_nil) {
      text_ << "null}";
    } else {
      text_ << mop.value << '}';
    }
  }

  FastText text_;
  std::int64_t place_ = 0;
};

}  // namespace

std::unique_ptr<PlainEventWriter> make_timekiller_event_writer(const EventStream& /*stream*/) {
  return std::make_unique<TimekillerEventWriter>();
}

}  // namespace elapid
