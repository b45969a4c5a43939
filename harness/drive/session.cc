#include "harness/drive/session.h"

#include <exception>
#include <utility>

namespace elapid {

DriveSession::DriveSession(std::size_t number, Database& database, RequestFeed& feed,
                           Recorder& recorder, const DriveOptions& options)
    : number_(number),
      database_(database),
      feed_(feed),
      log_(recorder.log(number)),
      options_(options),
      process_(static_cast<std::int64_t>(number)),
      txn_(request_, [&feed](Request& request, std::size_t step, Seen seen) {
        return feed.after_read(request, step, seen);
      }) {}

Status DriveSession::connect() {
  connection_.reset();
  ELAPID_ASSIGN_OR_RETURN(connection_, database_.connect(number_));
  return {};
}

TxnFate DriveSession::carry_out() {
  ++counts_.transactions;
  counts_.operations += request_.completed == PlainValue::kMops ? request_.steps.size() : 1;
  record_invocation();
  TxnOutcome outcome = attempt();
  for (std::uint64_t left = options_.retries;
       left > 0 && outcome.fate == TxnFate::kAborted && outcome.error != TxnError::kGivenUp &&
       !outcome.is_unusable;
       --left) {
    ++counts_.retried;
    outcome = attempt();
  }
  record_completion(outcome);
  if (outcome.fate == TxnFate::kIndeterminate) {
    process_ += static_cast<std::int64_t>(options_.sessions);
  }
  // An indeterminate transaction may still be running on the connection.
  if (outcome.is_unusable || outcome.fate == TxnFate::kIndeterminate) {
    connection_.reset();
  }
  return outcome.fate;
}

TxnOutcome DriveSession::attempt() {
  txn_.restart();
  TxnOutcome outcome;
  try {
    outcome = connection_->run(txn_);
  } catch (const std::exception& exception) {
    outcome = {.fate = TxnFate::kIndeterminate,
               .error = TxnError::kOther,
               .message = std::string("the driver failed: ") + exception.what(),
               .is_unusable = true};
  }
  if (outcome.error != TxnError::kNone) {
    ++counts_.errors[static_cast<std::size_t>(outcome.error)];
    if (is_failure(outcome.error) && counts_.failure.empty()) {
      counts_.failure = outcome.message.empty() ? name(outcome.error) : outcome.message;
    }
  }
  return outcome;
}

/// The steps as operations, with or without their results.
void DriveSession::collect_mops(bool with_results) {
  mops_.clear();
  for (std::size_t i = 0; i < request_.steps.size(); ++i) {
    const RequestStep& step = request_.steps[i];
    if (step.kind == OpKind::kRow) {
      PlainMop on_rows = {.kind = step.kind, .is_nil = !with_results, .value = step.value};
      if (with_results) {
        on_rows.list_begin = txn_.result(i).list_begin;
        on_rows.list_length = txn_.result(i).list_length;
      }
      if (!txn_.row_op(step).is_left_out) {
        mops_.push_back(on_rows);
      }
      continue;
    }
    const bool is_list = step.kind == OpKind::kReadList;
    const bool is_read = is_list || step.kind == OpKind::kRead;
    PlainMop mop = {.kind = step.kind, .key = step.key, .value = step.value};
    if (is_read && !with_results) {
      mop = {.kind = OpKind::kRead, .is_nil = true, .key = step.key};
    } else if (is_list) {
      mop.list_begin = txn_.result(i).list_begin;
      mop.list_length = txn_.result(i).list_length;
    } else if (is_read) {
      mop.is_nil = !txn_.result(i).seen;
      mop.value = txn_.result(i).seen.value_or(0);
    }
    mops_.push_back(mop);
  }
}

void DriveSession::set_head(EventType type, PlainEvent& event) const {
  event.type = type;
  event.process = process_;
  event.function = request_.function;
  event.tuple_key = request_.tuple_key;
  event.numbers = request_.numbers;
  event.row_ops = request_.row_ops;
  if (!options_.levels.empty()) {
    event.fields = options_.levels.subspan(request_.level, 1);
  }
  event.shape = request_.invoked;
  event.tree = request_.invoked == PlainValue::kTree ? &request_.asked : nullptr;
}

void DriveSession::record_invocation() {
  PlainEvent event;
  set_head(EventType::kInvoke, event);
  collect_mops(false);
  event.mops = mops_;
  log_.tell(event);
}

void DriveSession::record_completion(const TxnOutcome& outcome) {
  static constexpr std::array kTypes = {EventType::kOk, EventType::kFail, EventType::kInfo};
  static constexpr std::array kCounts = {&DriveCounts::committed, &DriveCounts::aborted,
                                         &DriveCounts::indeterminate};
  const auto fate = static_cast<std::size_t>(outcome.fate);
  ++(counts_.*kCounts[fate]);
  PlainEvent event;
  set_head(kTypes[fate], event);
  const bool has_committed = outcome.fate == TxnFate::kCommitted;
  collect_mops(has_committed);
  event.mops = mops_;
  if (has_committed) {
    event.shape = request_.completed;
    event.tree = request_.completed == PlainValue::kTree ? &request_.answered : nullptr;
    event.elements = txn_.elements();
    event.timestamps = outcome.order;
  } else {
    event.error = outcome.error == TxnError::kGivenUp ? txn_.why_given_up() : name(outcome.error);
    event.message = outcome.message;
  }
  log_.tell(event);
}

}  // namespace elapid
