#include "parsers/dbcop/versioned_txns.h"

#include <utility>

#include "parsers/dbcop/dbcop_format.h"
#include "parsers/jepsen/initial_value.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kVersionedRules = {
    .initial = "nil, shown by reads of no version, and of version 0 where no transaction writes 0",
    .reads = "a read tells the version alone",
    .aborted = "transactions that have not committed",
    .indeterminate = "not told apart from aborted ones",
};

/// 0 is read as the initial state unless the caller sets the initial value.
BuilderOptions builder_options(const ReadOptions& options) {
  return {.read_as_initial = options.initial ? std::nullopt : std::optional(ValueId::integer(0))};
}

}  // namespace

VersionedTxns::VersionedTxns(const ReadOptions& options)
    : options_(options), builder_(builder_options(options)) {
  // finish_trace() reports the error.
  if (const Result<ValueId> initial = initial_value(options, initial_, builder_.values())) {
    initial_ = initial.value();
  }
}

void VersionedTxns::read(KeyId key, std::optional<std::uint64_t> version) {
  mops_.push_back({.kind = OpKind::kRead,
                   .key = key,
                   .value = version ? builder_.values().natural(*version) : initial_});
}

void VersionedTxns::write(KeyId key, std::uint64_t version) {
  mops_.push_back(
      {.kind = OpKind::kWrite, .key = key, .value = builder_.values().natural(version)});
}

Status VersionedTxns::end_txn(std::uint64_t session, bool has_committed, std::uint64_t offset) {
  Status added = builder_.add_transaction(
      {.session = static_cast<std::int64_t>(session),
       .status = has_committed ? TxnStatus::kCommitted : TxnStatus::kAborted,
       .position = {.file = 0, .offset = offset},
       .mops = mops_});
  mops_.clear();
  ++count_;
  return added;
}

Result<History> VersionedTxns::finish(Sources& sources, std::uint64_t source_bytes) && {
  return finish_trace(
      std::move(builder_), sources, options_,
      {.format = &kDbcopFormat, .rules = kVersionedRules, .source_bytes = source_bytes});
}

}  // namespace elapid
