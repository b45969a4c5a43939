#include "parsers/jepsen/row_events.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/call.h"

namespace elapid {

namespace {

constexpr std::string_view kInitFirst =
    "expected :f :init once, before all other operations completed";

}  // namespace

bool is_row_operation(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {":rp",  ":up",     ":dp",     ":insert",
                                                      ":put", ":update", ":delete", ":rv"};
  return std::ranges::find(kNames, name) != kNames.end();
}

RowEvents::RowEvents(HistoryBuilder& history)
    : rows_(history), parser_(history, rows_), init_(history.values().intern(":init")) {
  history.values().intern(":elle/dead");  // Elle's name of rows that were deleted
}

Status RowEvents::convert(OpMap& op) {
  completions_ += op.type == EventType::kInvoke ? 0U : 1U;
  if (op.whole.problem) {
    return *op.whole.problem;
  }
  if (!op.mops.empty() || op.not_mops || !op.tuple_key.is_none()) {
    return malformed_at(op.offset, "expected operations on rows, without tuples; found others");
  }
  if (!op.has_value) {
    return {};
  }
  if (op.f == init_) {
    return add_init(op);
  }
  const auto forms = elements_of(op.whole.text);
  if (!forms || !op.whole.text.starts_with('[')) {
    return malformed_at(op.offset, "expected a vector of operations on rows as :value, found " +
                                       op.whole.text.substr(0, 100));
  }
  for (std::size_t i = 0; i < forms->size(); ++i) {
    const std::uint64_t offset = i < op.whole.offsets.size() ? op.whole.offsets[i] : op.offset;
    ELAPID_ASSIGN_OR_RETURN(
        MopInput mop,
        parser_.operation((*forms)[i], {.position = {.offset = offset},
                                        .nil_is_unknown = op.type != EventType::kOk}));
    op.mops.push_back(mop);
  }
  return {};
}

Status RowEvents::add_init(OpMap& op) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<MopInput> inserts,
                          parser_.contents(op.whole.text, {.position = {.offset = op.offset}}));
  op.mops.assign(inserts);
  if (op.type != EventType::kOk) {
    return {};
  }
  if (completions_ > 1) {
    return malformed_at(op.offset, std::string(kInitFirst));
  }
  has_init_ = true;
  return {};
}

void RowEvents::finish(HistoryInfo& info, bool is_closed) && {
  info.initial_txn = has_init_ ? TxnId{0} : TxnId::none();
  info.rows = std::move(rows_).build(is_closed);
  info.assumptions.emplace_back(
      is_closed
          ? "Rows that nothing tells of did not exist at the beginning: the universe is closed."
          : "Rows may have existed at the beginning: the universe is open, as the header says.");
}

Status refuse_late_init(const History& history) {
  const TxnId init = history.info().initial_txn;
  for (TxnId txn{0}; !init.is_none() && txn.index() < history.txn_count(); ++txn.value) {
    if (history.completion_id(txn) < history.completion_id(init)) {
      return malformed_at(history.representative(init).position.offset, std::string(kInitFirst));
    }
  }
  return {};
}

}  // namespace elapid
