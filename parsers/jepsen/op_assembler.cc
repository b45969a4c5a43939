#include "parsers/jepsen/op_assembler.h"

#include <algorithm>
#include <utility>

#include "parsers/jepsen/initial_value.h"

namespace elapid {

namespace {

constexpr FormatRules kEventRules = {.initial = "nil, or the empty list; see the option initial",
                                     .reads = "by the value read",
                                     .aborted = ":fail",
                                     .indeterminate = ":info, or never completed"};

/// Elle and Knossos ignore operations without a process; Jepsen's other checkers do not.
bool drops_processless(const ReadOptions& options, Workload workload) {
  return options.elle_compat && (workload.has_levels() || workload == Workload::kCasRegister);
}

/// The workloads that Elle checks.
bool is_of_elle(Workload workload) {
  return workload == Workload::kListAppend || workload == Workload::kRwRegister;
}

}  // namespace

bool is_client(const OpMap& op) {
  const bool has_mops = op.has_value && op.is_mops();
  return op.process_kind == ProcessKind::kClient ||
         (op.process_kind == ProcessKind::kAbsent && has_mops);
}

NemesisEvent nemesis_event(const OpMap& op, const ValuePool& values) {
  NemesisEvent event = {.time = op.time ? op.time : op.invoked,
                        .offset = op.offset,
                        .process = shortened_nemesis_text(op.process_name)};
  if (!op.f.is_nil() && !op.f.is_none()) {
    event.f = shortened_nemesis_text(values.text(op.f).substr(1));
  }
  if (op.has_value) {
    const bool is_known = !op.whole.text.empty() && !op.whole.problem;
    std::string value = is_known ? op.whole.text : "…";
    if (!op.tuple_key.is_none()) {  // the value was read as a tuple
      value = '[' + values.text(op.tuple_key) + ' ' + value + ']';
    }
    event.value = shortened_nemesis_text(value);
  }
  return event;
}

OpAssembler::OpAssembler(const ReadOptions& options, Workload workload)
    : options_(options),
      workload_(workload),
      builder_({.drop_processless = drops_processless(options, workload),
                .tolerate_overlaps = options.for_lint || options.elle_compat,
                .believe_invocations = !options.elle_compat,
                .sorts_sessions = true,
                .keeps_invocations = !workload.has_own_values()}),
      unclear_processes_(builder_.values(), workload),
      single_ops_(builder_.values(), workload, options.elle_compat) {
  if (workload == Workload::kRows) {
    row_events_.emplace(builder_);
    unclear_processes_.add_function(builder_.values().intern(":init"));
  }
}

void OpAssembler::remark(Remark::Kind kind, std::uint64_t offset, std::string message) {
  builder_.remark(kind, {.offset = offset}, std::move(message));
}

/// Whether the operation is a plain event with the function of all before it, so that it needs no
/// further checks.
inline bool OpAssembler::is_usual(const OpMap& op) const {
  return op.is_plain_event(workload_) && op.f == f_ && trace_form_.is_of_events();
}

inline void OpAssembler::set_keys(std::span<MopInput> mops) {
  for (MopInput& mop : mops) {
    mop.key = builder_.key(key_name(mop));
  }
}

Status OpAssembler::add(PackedOps& ops) {
  return ops.give([this](auto& op, auto... parts) { return add(op, parts...); });
}

/// Adds a packed operation. Packed operations are usual unless the earlier ones say otherwise.
inline Status OpAssembler::add(const PackedOp& op, std::span<MopInput> mops,
                               std::span<const ValueId> elements) {
  if (op.f != f_ || !trace_form_.is_of_events()) {
    unpack(op, mops, elements, unpacked_);
    return add(unpacked_);
  }
  set_keys(mops);
  EventInput event{.type = op.type, .process = op.process, .position = {.offset = op.offset}};
  if (op.has_index) {
    event.index = op.index;
  }
  if (op.has_time) {
    event.time = op.time;
  }
  event.level = level_of(ValueId::nil());
  event.name = name_of(op.f);
  event.mops = mops;
  event.elements = elements;
  return builder_.add_event(event);
}

Status OpAssembler::add(OpMap& op) {
  if (is_usual(op)) {
    set_keys(op.mops);
    return add_event(op);
  }
  is_empty_ = false;
  if (!op.type) {
    return Error{.message = op.has_validity ? "this is a results file, not a history"
                                            : "expected an operation, found one without :type",
                 .byte_offset = op.offset};
  }
  if (op.has_odd_time) {
    remark(Remark::Kind::kOther, op.offset, "a :time that is no integer is ignored");
  }
  if (op.twice) {
    remark(Remark::Kind::kOther, op.twice->byte_offset.value_or(op.offset), op.twice->message);
  }
  ELAPID_RETURN_IF_ERROR(trace_form_.check(op));
  if (!options_.elle_compat) {
    if (std::optional<Error> unclear = unclear_processes_.look_at(op)) {
      ELAPID_RETURN_IF_ERROR(refuse(Remark::Kind::kOddProcess, *std::move(unclear)));
    }
  }
  if (!drops_processless(options_, workload_)) {
    ELAPID_RETURN_IF_ERROR(adopt(op));
  }
  return is_client(op) ? add_client(op) : skip(op);
}

/// Returns the error. For lint, which reports all of them, adds a remark instead.
Status OpAssembler::refuse(Remark::Kind kind, Error error) {
  if (!options_.for_lint) {
    return error;
  }
  remark(kind, *error.byte_offset, std::move(error.message));
  return {};
}

/// Gives a process to a single operation without one. Notes such operations, once.
Status OpAssembler::adopt(OpMap& op) {
  const SingleOps::Adoption adoption = single_ops_.adopt(op);
  if (adoption.is_unclear && !options_.elle_compat) {
    ELAPID_RETURN_IF_ERROR(
        refuse(Remark::Kind::kOverlappingProcess,
               malformed_at(op.offset,
                            "expected a :process, found none: this may complete any of several "
                            "open operations of the same :f")));
  }
  if (adoption.is_adopted && !std::exchange(has_adopted_, true)) {
    remark(Remark::Kind::kNoProcess, op.offset,
           "operations without :process: each is a session of its own, and completes the first "
           "open one of the same :f and value, or of the same :f and nil");
  }
  return {};
}

Status OpAssembler::add_client(OpMap& op) {
  ELAPID_RETURN_IF_ERROR(set_mops(op));
  if (std::optional<Error> unknown = unknown_operation(op)) {
    ELAPID_RETURN_IF_ERROR(refuse(Remark::Kind::kUnknownOperation, *std::move(unknown)));
  }
  if (!op.process_name.empty()) {
    builder_.name_session(op.process, op.process_name);
  }
  f_ = op.f == f_.value_or(op.f) ? op.f : ValueId::none();
  with_extras_ += op.has_extras ? 1U : 0U;
  for (MopInput& mop : op.mops) {
    mop.key = row_events_ ? mop.key : builder_.key(key_name(mop));
  }
  return trace_form_.is_trace() ? add_transaction(op) : add_event(op);
}

Status OpAssembler::set_mops(OpMap& op) {
  if (row_events_) {
    return row_events_->convert(op);
  }
  if (single_ops_.is_single(op)) {
    return trace_form_.is_trace() ? single_ops_.convert_whole(op) : single_ops_.convert(op);
  }
  if (!op.is_mops()) {
    Error error = op.why_no_mops();
    if (op.may_be_tuple) {
      error.message +=
          " (for [key value] tuples see " + std::string(options_.words.independent) + ")";
    }
    return error;
  }
  if (op.not_list && op.type == EventType::kOk) {
    return *op.not_list;
  }
  if (options_.elle_compat && is_of_elle(workload_) && !op.has_value) {
    return Error{.message =
                     "expected a :value, without which Elle gives up "
                     "(NullPointerException); found none, or nil",
                 .byte_offset = op.offset};
  }
  return {};
}

/// The error for an operation that transactions of lists and registers cannot hold.
std::optional<Error> OpAssembler::unknown_operation(const OpMap& op) const {
  if (!is_of_elle(workload_) || options_.elle_compat) {
    return std::nullopt;
  }
  const std::uint64_t foreign = op.first_foreign(workload_);
  const std::uint64_t place = std::min(foreign, op.first_other);
  const bool is_single = !op.begins_mops && !op.mops.empty();  // name_only() made it
  if (place == OpMap::kNoPlace && !is_single) {
    return std::nullopt;
  }
  std::string found = workload_.has_lists() ? "w" : "append";
  if (is_single || op.first_other < foreign) {
    const auto other = std::ranges::find(op.mops, OpKind::kOther, &MopInput::kind);
    found = builder_.values().text(other->value).substr(1);
  }
  return Error{.message = "expected operations of " + std::string(workload_.name()) +
                          (workload_.has_lists() ? ", `append` and `r`" : ", `w` and `r`") +
                          ", found `" + found + '`',
               .byte_offset = is_single ? op.offset : place};
}

/// The number of a level. Most operations have the level of the one before.
TxnWords::Number OpAssembler::level_of(ValueId level) {
  if (level != level_) {
    level_ = level;
    level_number_ = level_.is_nil() ? TxnWords::kNone
                                    : builder_.levels().number(values().text(level_).substr(1));
  }
  return level_number_;
}

TxnWords::Number OpAssembler::name_of(ValueId f) {
  if (f != name_) {
    name_ = f;
    const bool has_none = name_.is_nil() || name_.is_none();
    name_number_ =
        has_none ? TxnWords::kNone : builder_.names().number(values().text(name_).substr(1));
  }
  return name_number_;
}

inline Status OpAssembler::add_event(const OpMap& op) {
  EventInput event{
      .type = *op.type, .index = op.index, .time = op.time, .position = {.offset = op.offset}};
  if (op.process_kind == ProcessKind::kClient) {
    event.process = op.process;
  }
  event.level = level_of(op.level);
  event.name = name_of(op.f);
  event.mops = op.mops;
  event.elements = op.elements;
  return builder_.add_event(event);
}

Status OpAssembler::add_transaction(const OpMap& op) {
  ELAPID_ASSIGN_OR_RETURN(TxnInput txn, trace_form_.transaction(op));
  txn.level = level_of(op.level);
  txn.name = name_of(op.f);
  return builder_.add_transaction(txn);
}

Status OpAssembler::skip(const OpMap& op) {
  if (op.process_kind == ProcessKind::kOdd) {
    remark(Remark::Kind::kOddProcess, op.offset,
           "a :process that is neither an integer nor a name is taken as not a client");
  } else if (op.process_kind == ProcessKind::kAbsent) {
    remark(Remark::Kind::kOther, op.offset,
           "an operation without :process and without micro-operations is ignored");
  }
  if (op.process_kind == ProcessKind::kNamed) {
    builder_.note_nemesis(nemesis_event(op, builder_.values()));
  }
  if (trace_form_.is_trace()) {
    return {};
  }
  return builder_.skip_event(
      {.index = op.index, .time = op.time, .position = {.offset = op.offset}});
}

Result<History> OpAssembler::finish(HistoryInfo info) && {
  if (is_empty_ && !options_.elle_compat) {
    return Error{.message = "expected operations, found none", .byte_offset = 0};
  }
  ELAPID_ASSIGN_OR_RETURN(info.initial, initial_value(options_, ValueId::nil(), builder_.values()));
  info.rules = kEventRules;
  info.f = f_.value_or(ValueId::none());
  info.extra_fields = with_extras_;
  if (row_events_) {
    std::move(*row_events_).finish(info, !options_.has_unrecorded_rows);
  }
  ELAPID_ASSIGN_OR_RETURN(History history, std::move(builder_).build(std::move(info)));
  if (row_events_) {
    ELAPID_RETURN_IF_ERROR(refuse_late_init(history));
  }
  return history;
}

}  // namespace elapid
