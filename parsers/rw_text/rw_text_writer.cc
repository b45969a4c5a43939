#include "parsers/rw_text/rw_text_format.h"

#include <memory>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/fast_text.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

void write_elements(const Plan& plan, std::span<const ValueId> elements, OutputFile& out) {
  out << '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out << (i == 0 ? "" : " ") << plan.value_number(elements[i]);
  }
  out << ']';
}

void write_elle_op(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  if (op.kind == OpKind::kAppend) {
    out << "[:append " << op.key_number << ' ' << op.value_number;
  } else {
    out << "[:r " << op.key_number << ' ';
    write_elements(plan, op.elements, out);
  }
  out << ']';
}

/// The session and the transaction of a line.
struct LineOwner {
  std::int64_t session = 0;
  std::int64_t txn = 0;
};

/// The owner of all aborted operations, which have neither session nor number.
constexpr LineOwner kAborted = {.session = 0, .txn = -1};

template <class Out>
void write_line(OpKind kind, std::int64_t key, std::int64_t value, LineOwner owner, Out& out) {
  out << (kind == OpKind::kRead ? "r(" : "w(") << key << ',' << value << ',' << owner.session << ','
      << owner.txn << ")\n";
}

/// Writes a transaction when it completes. Committed ones are numbered in this order.
class RwTextEvents : public PlainEventWriter {
 public:
  explicit RwTextEvents(bool tells_aborted_writes) : tells_aborted_writes_(tells_aborted_writes) {}

  std::string_view write(const PlainEvent& event) override {
    const bool is_committed = event.type == EventType::kOk;
    const bool is_told = is_committed || (event.type == EventType::kFail && tells_aborted_writes_);
    const LineOwner owner =
        is_committed ? LineOwner{.session = event.process, .txn = next_++} : kAborted;
    lines_.clear();
    for (const PlainMop& mop : event.mops) {
      if (is_told && (is_committed || mop.kind == OpKind::kWrite)) {
        write_line(mop.kind, mop.key, mop.is_nil ? 0 : mop.value, owner, lines_);
      }
    }
    return lines_.view();
  }

 private:
  bool tells_aborted_writes_;
  std::int64_t next_ = 0;
  FastText lines_;
};

}  // namespace

std::unique_ptr<PlainEventWriter> make_polysi_event_writer(const EventStream& /*stream*/) {
  return std::make_unique<RwTextEvents>(false);
}

std::unique_ptr<PlainEventWriter> make_plume_event_writer(const EventStream& /*stream*/) {
  return std::make_unique<RwTextEvents>(true);
}

Status write_rw_text(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::int64_t next = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    const LineOwner owner = txn.status == TxnStatus::kAborted
                                ? kAborted
                                : LineOwner{.session = txn.session, .txn = next++};
    plan.ops(txn, ops);
    for (const PlannedOp& op : ops) {
      write_line(op.kind, op.key_number, op.value_number, owner, out);
    }
  }
  return {};
}

Status write_polysi_elle(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::int64_t index = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    out << "{:type :ok, :f :txn, :value [";
    plan.ops(txn, ops);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      out << (i == 0 ? "" : " ");
      write_elle_op(plan, ops[i], out);
    }
    out << "], :process " << txn.session << ", :index " << index++ << "}\n";
  }
  return {};
}

}  // namespace elapid
