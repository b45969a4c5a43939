#include "adapter/elle/event_text.h"

#include <string_view>

#include "engine/ir/made_up_process.h"
#include "engine/ir/shown_name.h"
#include "engine/rows/text.h"

namespace elapid {
namespace {

std::string_view type_name(const History& history, EventRef event) {
  if (event.kind == EventKind::kInvocation) {
    return "invoke";
  }
  switch (history.status(event.txn)) {
    case TxnStatus::kCommitted:
      return "ok";
    case TxnStatus::kAborted:
      return "fail";
    case TxnStatus::kIndeterminate:
      break;
  }
  return "info";
}

/// The function as micro-operations name it.
void write_function(DocumentWriter& out, const History& history, Op op) {
  switch (op.kind()) {
    case OpKind::kRead:
    case OpKind::kReadList:
      out.keyword("r");
      break;
    case OpKind::kWrite:
      out.keyword("w");
      break;
    case OpKind::kAppend:
      out.keyword("append");
      break;
    case OpKind::kOther:
      write_value(out, history, op.value());
      break;
    case OpKind::kRow:  // written whole
      break;
  }
}

}  // namespace

void write_process(DocumentWriter& out, const History& history, TxnId txn) {
  out.key("process");
  const SessionId session = history.session(txn);
  if (!history.info().has_process || is_made_up_process(history.session_name(session))) {
    out.nil();
  } else if (const auto name = history.session_given_name(session)) {
    out.string(shown_name(*name));
  } else {
    out.integer(history.session_name(session));
  }
}

void write_value(DocumentWriter& out, const History& history, ValueId value, Names names) {
  if (value.is_integer()) {
    out.integer(value.as_integer());
  } else {
    out.form(names == Names::kWhole ? history.text(value) : history.shown_text(value));
  }
}

void write_op_value(DocumentWriter& out, const History& history, Op op, Names names) {
  if (op.kind() != OpKind::kReadList) {
    write_value(out, history, op.value(), names);
    return;
  }
  out.each(history.elements(op),
           [&](ValueId element) { write_value(out, history, element, names); });
}

void write_mop(DocumentWriter& out, const History& history, Op op, bool hide_read, Names names) {
  if (op.kind() == OpKind::kRow) {
    out.form(names == Names::kWhole ? rows::text(history, op) : rows::shown_text(history, op));
    return;
  }
  out.open(Container::kVector);
  write_function(out, history, op);
  write_value(out, history, history.key_value(op.key()), names);
  if (hide_read && op.is_read()) {
    out.nil();
  } else if (op.kind() != OpKind::kOther) {
    write_op_value(out, history, op, names);
  }
  out.close();
}

void write_event_with(DocumentWriter& out, const History& history, EventRef event,
                      const EventFieldsFn& fields, EventStyle style,
                      const std::function<void()>& write_ops) {
  const Event known = history.event(event.txn, event.kind);
  const EventFields read = fields ? fields(event.txn, event.kind) : EventFields{};
  const bool prints_all = style.made_up || !history.info().is_session_trace;
  out.open(Container::kMap);
  if (prints_all) {
    out.key("index").integer(known.index);
  } else if (!read.index.empty()) {
    out.key("index").form(read.index);
  }
  if (prints_all || known.time) {
    out.key("time").integer(known.time.value_or(-1));
  }
  out.key("type").keyword(type_name(history, event));
  write_process(out, history, event.txn);
  out.key("f").form(read.f);
  if (style.has_value) {
    out.key("value");
    if (history.workload().has_own_values() && !read.value.empty()) {
      out.form(read.value.size() <= style.max_extra_bytes ? std::string_view(read.value) : "…");
    } else {
      write_ops();
    }
  }
  for (const auto& [key, value] : read.extras) {
    out.form(key);
    out.form(value.size() <= style.max_extra_bytes ? std::string_view(value) : "…");
  }
  if (style.write_more) {
    style.write_more();
  }
  out.close();
}

bool is_call(const History& history, EventRef event) {
  const Workload workload = history.workload();
  const auto ops = shown_ops(history, event);
  const bool is_cas =
      workload.has_objects() && ops.size() == 2 && ops[0].is_read() && ops[1].is_write();
  return is_cas || (ops.size() == 1 && (workload.has_objects() || !workload.has_transactions()));
}

void write_event_ops(DocumentWriter& out, const History& history, EventRef event, Names names) {
  const bool hide = reads_hidden(history, event);
  const auto ops = shown_ops(history, event);
  const bool is_single = is_call(history, event);
  if (is_single && ops.size() == 1) {
    hide&& ops.front().is_read() ? out.nil() : write_op_value(out, history, ops.front(), names);
    return;
  }
  out.each(ops, [&](Op op) {
    if (is_single) {  // a compare-and-set: what it expects, and what it leaves
      write_op_value(out, history, op, names);
    } else {
      write_mop(out, history, op, hide, names);
    }
  });
}

void write_event(DocumentWriter& out, const History& history, EventRef event,
                 const EventFieldsFn& fields) {
  write_event_with(out, history, event, fields, {}, [&] { write_event_ops(out, history, event); });
}

}  // namespace elapid
