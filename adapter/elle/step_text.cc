#include "adapter/elle/step_text.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "engine/evidence/steps.h"

namespace elapid {
namespace {

std::optional<Op> mop_of(const History& history, TxnId txn, std::int32_t index) {
  const std::span<const Op> ops = history.ops(txn);
  if (index < 0 || static_cast<std::size_t>(index) >= ops.size()) {
    return std::nullopt;
  }
  return ops[static_cast<std::size_t>(index)];
}

/// Whether the step is about a list: then an append is at one of its ends.
bool about_a_list(const History& history, const Step& step) {
  const std::optional<Op> from = mop_of(history, step.from, step.from_mop);
  const std::optional<Op> to = mop_of(history, step.to, step.to_mop);
  return (from && from->kind() == OpKind::kAppend) || (to && to->kind() == OpKind::kAppend);
}

/// Writes the version before the step. Lists name the initial state; in JSON the name has no
/// namespace, as in elle-cli.
void write_version(DocumentWriter& out, const History& history, const Step& step, bool list) {
  if (list && step.value.is_none()) {
    out.keyword(out.json() ? "init" : "elle.list-append/init");
  } else {
    write_value(out, history, value_before(history, step));
  }
}

/// rw-register's ww and rw maps begin with the key, all others with the type.
void write_item_step(DocumentWriter& out, const History& history, const Step& step) {
  if (step.key.is_none()) {  // an order of commits
    out.key("type").keyword(relation_name(step.relation));
    return;
  }
  const bool list = about_a_list(history, step);
  const bool key_first = !list && step.relation != Relation::kWr;
  if (!key_first) {
    out.key("type").keyword(relation_name(step.relation));
  }
  out.key("key");
  write_value(out, history, history.key_value(step.key));
  out.key("value");
  write_version(out, history, step, list);
  if (step.relation != Relation::kWr) {
    out.key("value'");
    write_value(out, history, step.value_after);
  }
  if (key_first) {
    out.key("type").keyword(relation_name(step.relation));
  }
  out.key("a-mop-index").integer(step.from_mop);
  out.key("b-mop-index").integer(step.to_mop);
}

void write_row_version(DocumentWriter& out, const History& history, ValueId value) {
  if (value.is_none()) {
    out.keyword("elle/unborn");
  } else {
    write_value(out, history, value);
  }
}

/// Writes a step of rows (closed-predicate).
void write_row_step(DocumentWriter& out, const History& history, const Step& step) {
  const bool is_rw = step.relation == Relation::kRw;
  out.key("type").keyword(std::string(relation_name(step.relation)) +
                          (step.by_predicate ? "p" : ""));
  out.key("key");
  write_value(out, history, history.key_value(step.key));
  out.key("value");
  write_row_version(out, history, step.value);
  if (step.relation != Relation::kWr) {
    out.key("value'");
    write_row_version(out, history, step.value_after);
  }
  if (step.by_predicate) {
    if (is_rw) {
      out.key("predicate?").boolean(true);
    }
    const auto read =
        is_rw ? mop_of(history, step.from, step.from_mop) : mop_of(history, step.to, step.to_mop);
    out.key("predicate-read");
    write_mop(out, history, *read);
  }
  out.key("a-mop-index").integer(step.from_mop);
  out.key("b-mop-index").integer(step.to_mop);
}

std::string row_version_text(const History& history, ValueId value) {
  return value.is_none() ? ":elle/unborn" : history.shown_text(value);
}

std::string row_reason(const History& history, const Step& step, std::string_view a,
                       std::string_view b) {
  const std::string key = history.shown_key(step.key);
  const std::string value = row_version_text(history, step.value);
  const std::string after = row_version_text(history, step.value_after);
  if (step.relation == Relation::kWw) {
    return fmt::format("{} set key {} to {}, which {} overwrote with {}", a, key, value, b, after);
  }
  if (step.relation == Relation::kWr) {
    return step.by_predicate
               ? fmt::format(
                     "{} set key {} to {}, which was in the version set of {}'s predicate "
                     "read",
                     a, key, value, b)
               : fmt::format("{} wrote {} = {}, which was read by {}", a, key, value, b);
  }
  return step.by_predicate
             ? fmt::format(
                   "{} performed a predicate read of key {} and selected version {}, which "
                   "was overwritten by {}'s write of {}, which also changed whether the "
                   "predicate would have matched",
                   a, key, value, b, after)
             : fmt::format("{} read key {} = {}, which was overwritten by {}'s write of {}", a, key,
                           value, b, after);
}

std::string realtime_reason(const History& history, const Step& step, std::string_view a,
                            std::string_view b) {
  const EventRef invoked = invocation_ref(history, step.to);
  const Event before = history.representative(step.from);
  const Event after = history.event(invoked.txn, invoked.kind);
  const std::int64_t elapsed_ns = after.time.value_or(-1) - before.time.value_or(-1);
  const std::string elapsed =
      elapsed_ns > 0 ? fmt::format(" {:.3f} seconds", static_cast<double>(elapsed_ns) / 1e9)
                     : std::string(" just");
  return fmt::format("{} completed at index {},{} before the invocation of {}, at index {}", a,
                     before.index, elapsed, b, after.index);
}

std::string list_reason(const History& history, const Step& step, std::string_view a,
                        std::string_view b) {
  const std::string key = history.shown_key(step.key);
  if (step.relation == Relation::kWr) {
    return fmt::format("{} observed {}'s append of {} to key {}", b, a,
                       history.shown_text(step.value), key);
  }
  const std::string after = history.shown_text(step.value_after);
  if (step.relation == Relation::kWw) {
    return fmt::format("{} appended {} after {} appended {} to {}", b, after, a,
                       history.shown_text(step.value), key);
  }
  if (step.value.is_none()) {
    return fmt::format(
        "{} observed the initial (nil) state of {}, which {} created by appending {}", a, key, b,
        after);
  }
  return fmt::format("{} did not observe {}'s append of {} to {}", a, b, after, key);
}

/// Whether the read saw another value than the step's version. Sessions or real time order that
/// value after it.
bool shows_another(const Step& step, Op read) {
  return read.kind() == OpKind::kRead && read.key() == step.key && read.value() != step.value;
}

std::string register_reason(const History& history, const Step& step, std::string_view a,
                            std::string_view b) {
  const std::string key = history.shown_key(step.key);
  const std::string value = history.shown_text(value_before(history, step));
  if (step.relation == Relation::kWr) {
    const std::optional<Op> read = mop_of(history, step.to, step.to_mop);
    return read && shows_another(step, *read)
               ? fmt::format("{} wrote {} = {}, which was read before {} read {} = {}", a, key,
                             value, b, key, history.shown_text(read->value()))
               : fmt::format("{} wrote {} = {}, which was read by {}", a, key, value, b);
  }
  const std::string did = step.relation == Relation::kWw
                              ? fmt::format("set key {} to {}", key, value)
                              : fmt::format("read key {} = {}", key, value);
  return fmt::format("{} {}, and {} set it to {}, which came later in the version order", a, did, b,
                     history.shown_text(step.value_after));
}

}  // namespace

void write_step(DocumentWriter& out, const History& history, const Step& step,
                const EventFieldsFn& fields) {
  out.open(Container::kMap);
  switch (step.relation) {
    case Relation::kWw:
    case Relation::kWr:
    case Relation::kRw:
      history.info().rows ? write_row_step(out, history, step)
                          : write_item_step(out, history, step);
      break;
    case Relation::kProcess:
      out.key("type").keyword("process");
      write_process(out, history, step.from);
      break;
    case Relation::kRealtime:
      out.key("type").keyword("realtime");
      out.key("a'");
      write_event(out, history, representative_ref(history, step.from), fields);
      out.key("b");
      write_event(out, history, invocation_ref(history, step.to), fields);
      break;
  }
  out.close();
}

std::string step_reason(const History& history, const Step& step, std::string_view a,
                        std::string_view b) {
  switch (step.relation) {
    case Relation::kProcess:
      return fmt::format("process {} executed {} before {}",
                         history.session_text(history.session(step.from)), a, b);
    case Relation::kRealtime:
      return realtime_reason(history, step, a, b);
    case Relation::kWw:
    case Relation::kWr:
    case Relation::kRw:
      break;
  }
  if (history.info().rows) {
    return row_reason(history, step, a, b);
  }
  return about_a_list(history, step) ? list_reason(history, step, a, b)
                                     : register_reason(history, step, a, b);
}

}  // namespace elapid
