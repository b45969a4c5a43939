#include "parsers/rw_text/rw_text_pass.h"

#include <algorithm>
#include <utility>

#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr std::int64_t kAbortedTxn = -1;
constexpr std::int64_t kAbortedSession = -1;  // no line can have it

BuilderOptions builder_options(const RwTextRules& rules, RwTextPlan plan,
                               const ReadOptions& options) {
  using InitialTxn = RwTextRules::InitialTxn;
  const bool may_be_initial =
      rules.initial_txn == InitialTxn::kAlways ||
      (rules.initial_txn == InitialTxn::kUnlessAborted && !plan.has_aborted);
  return {.first_txn =
              may_be_initial && !options.initial ? FirstTxn::kZerosOrOnes : FirstTxn::kOrdinary};
}

}  // namespace

RwTextPass::RwTextPass(ByteSource& source, const RwTextRules& rules, RwTextPlan plan,
                       const ReadOptions& options, std::size_t piece_bytes)
    : source_(source),
      rules_(rules),
      options_(options),
      plan_(plan),
      piece_bytes_(piece_bytes),
      window_(source),
      progress_(source, options),
      builder_(builder_options(rules, plan, options)),
      keys_(builder_) {}

Status RwTextPass::read() {
  skip_byte_order_mark(window_, builder_);
  builder_.expect_bytes(source_.total());
  Status status = read_lines();
  if (!status.ok()) {
    drop_open();
    const std::size_t kept = numbers_.size() - (open_id_ ? 1 : 0) + aborted_.size();
    return end_at_break(builder_, options_, std::move(status.error()), kept);
  }
  return plan_holds_ ? close() : status;
}

Status RwTextPass::read_lines() {
  const bool has_mark = window_.offset() > 0;
  if (has_mark || options_.threads == 1 || !is_worth_cutting(source_, piece_bytes_)) {
    return read_lines(window_);
  }
  ELAPID_RETURN_IF_ERROR(source_.rewind());
  PieceCutter cutter(source_, piece_bytes_);
  Status status;
  const PiecesRead pieces = read_pieces(cutter, status);
  if (!status.ok() || !plan_holds_ || pieces.is_all) {
    return status;
  }
  ResumedSource rest(source_, cutter, pieces.offset);
  Window window(rest, Window::kDefaultBytes, pieces.offset);
  return read_lines(window);
}

Status RwTextPass::read_lines(Window& window) {
  RwScanner scanner(window);
  RwLine line;
  Status status;
  while (scanner.next(line)) {
    if (!take_next(line, status)) {
      return status;
    }
    ELAPID_RETURN_IF_ERROR(progress_.report(line.offset));
  }
  bytes_ = window.offset();
  return scanner.status();
}

namespace {

/// The lines of a piece.
struct RwPiece {
  InputPiece bytes = {};
  std::vector<RwLine> lines = {};
  bool is_whole = false;
};

void parse_rw_piece(RwPiece& piece) {
  PieceSource source(piece.bytes);
  Window window(source, InputPiece::kBytes, piece.bytes.offset());
  RwScanner scanner(window);
  piece.lines.clear();
  for (RwLine line; scanner.next(line);) {
    piece.lines.push_back(line);
  }
  piece.is_whole = scanner.status().ok();
}

}  // namespace

/// Takes the lines of the pieces that could be parsed whole.
PiecesRead RwTextPass::read_pieces(PieceCutter& cutter, Status& status) {
  const PiecesRead pieces =
      for_each_piece<RwPiece>(cutter, options_.threads, parse_rw_piece, [&](RwPiece& piece) {
        for (const RwLine& line : piece.lines) {
          if (!take_next(line, status)) {
            return false;
          }
        }
        bytes_ = piece.bytes.offset() + piece.bytes.text().size();
        status = progress_.report(bytes_);
        return status.ok();
      });
  return pieces;
}

/// Takes the next line. False if it is refused or the plan does not hold.
inline bool RwTextPass::take_next(const RwLine& line, Status& status) {
  Status taken = take(line);
  if (taken.ok() && plan_holds_) {
    return true;
  }
  status = std::move(taken);
  bytes_ = line.offset;
  return false;
}

/// Checks the line by the rules.
Status RwTextPass::check(const RwLine& line) const {
  if (line.txn < 0 && !rules_.negative_txns) {
    return malformed_at(
        line.offset, "expected a natural number as transaction, found " + std::to_string(line.txn));
  }
  if (line.is_write && line.value == 0 && !rules_.zero_writes) {
    return malformed_at(line.offset,
                        "expected a write of a value other than 0, which every key holds "
                        "initially, found one of 0 to key " +
                            std::to_string(line.key));
  }
  return {};
}

Status RwTextPass::take(const RwLine& line) {
  if (line.txn < 0 || (line.value == 0 && line.is_write)) {
    ELAPID_RETURN_IF_ERROR(check(line));
  }
  if (line.txn == kAbortedTxn) {
    take_aborted(line);
    return {};
  }
  if (open_id_ != line.txn) {
    if (Status status = turn_to(line); !status.ok() || !plan_holds_) {
      return status;
    }
  }
  if (line.session != open_session_) {
    note_other_session(line);
  }
  const OpKind kind = line.is_write ? OpKind::kWrite : OpKind::kRead;
  const KeyId key = keys_.key(line.key);
  const ValueId value = builder_.values().integer(line.value);
  if (plan_.is_scattered) {
    collector_.add(open_number_, kind, key, value);
  } else {
    open_mops_.push_back({.kind = kind, .key = key, .value = value});
  }
  return {};
}

void RwTextPass::take_aborted(const RwLine& line) {
  if (!plan_.has_aborted) {
    plan_.has_aborted = true;
    plan_holds_ = rules_.initial_txn != RwTextRules::InitialTxn::kUnlessAborted;
  }
  if (line.is_write) {
    aborted_.push_back({.key = keys_.key(line.key),
                        .value = builder_.values().integer(line.value),
                        .offset = line.offset});
  } else {
    if (!first_aborted_read_) {
      first_aborted_read_ = line;
    }
    ++aborted_reads_;
  }
}

/// Turns to another transaction, new or known.
Status RwTextPass::turn_to(const RwLine& line) {
  ELAPID_RETURN_IF_ERROR(close());
  const auto fresh = static_cast<std::uint32_t>(numbers_.size());
  open_number_ = numbers_.number(line.txn);
  open_id_ = line.txn;
  if (open_number_ == fresh) {
    begin(line);
  } else if (plan_.is_scattered) {
    open_session_ = collector_.txn(open_number_).session;
  } else {
    plan_.is_scattered = true;
    plan_holds_ = false;
  }
  return {};
}

void RwTextPass::begin(const RwLine& line) {
  open_session_ = line.session;
  open_position_ = {.file = 0, .offset = line.offset};
  if (plan_.is_scattered) {
    collector_.begin({.session = line.session, .position = open_position_});
  }
  if (line.txn < 0) {
    builder_.remark(Remark::Kind::kOther, open_position_,
                    "transaction " + std::to_string(line.txn) +
                        " is negative but not -1: it is taken for an ordinary one");
  }
}

void RwTextPass::note_other_session(const RwLine& line) {
  builder_.remark(Remark::Kind::kOther, {.file = 0, .offset = line.offset},
                  "transaction " + std::to_string(line.txn) + " began in session " +
                      std::to_string(open_session_) + " and stays there: this line names session " +
                      std::to_string(line.session));
}

/// Gives the open transaction to the builder, unless all transactions are collected.
Status RwTextPass::close() {
  if (open_mops_.empty()) {
    return {};
  }
  Status status = builder_.add_transaction(
      {.session = open_session_, .position = open_position_, .mops = open_mops_});
  open_mops_.clear();
  return status;
}

/// Removes the last line's transaction, since its rest may be missing.
void RwTextPass::drop_open() {
  open_mops_.clear();
  if (plan_.is_scattered && open_id_) {
    collector_.txn(open_number_).is_whole = false;
  }
}

/// Adds the aborted operations of transaction -1. If it only read, its first read is added, so that
/// a history of it alone is not empty.
Status RwTextPass::add_aborted() {
  if (aborted_.empty() && first_aborted_read_) {
    const MopInput mop = {.kind = OpKind::kRead,
                          .key = keys_.key(first_aborted_read_->key),
                          .value = builder_.values().integer(first_aborted_read_->value)};
    return builder_.add_transaction(
        {.session = kAbortedSession, .status = TxnStatus::kAborted, .mops = {&mop, 1}});
  }
  for (const AbortedWrite& write : aborted_) {
    const MopInput mop = {.kind = OpKind::kWrite, .key = write.key, .value = write.value};
    ELAPID_RETURN_IF_ERROR(
        builder_.add_transaction({.session = kAbortedSession,
                                  .status = TxnStatus::kAborted,
                                  .position = {.file = 0, .offset = write.offset},
                                  .mops = {&mop, 1}}));
  }
  return {};
}

std::vector<std::string> RwTextPass::assumptions() const {
  std::vector<std::string> sentences;
  if (rules_.initial_txn == RwTextRules::InitialTxn::kUnlessAborted) {
    sentences.emplace_back(
        plan_.has_aborted
            ? "There is a transaction -1, so that Plume's rules hold: 0 is the initial value."
            : "No transaction is -1: 0 is the initial value, unless the first transaction, alone "
              "in its session, writes one value to every key.");
  }
  if (!aborted_.empty()) {
    sentences.push_back("The writes of transaction -1, " + std::to_string(aborted_.size()) +
                        ", are aborted transactions of one operation each, in a session named -1.");
  }
  if (aborted_reads_ > 0) {
    sentences.push_back(
        "The reads of transaction -1, " + std::to_string(aborted_reads_) +
        (aborted_.empty() ? ", were left out but for the first." : ", were left out."));
  }
  return sentences;
}

Result<History> RwTextPass::finish(Sources& sources) && {
  numbers_ = IdNumbers();
  Status status = collector_.hand_over(builder_);
  if (status.ok()) {
    status = add_aborted();
  }
  if (!status.ok()) {
    return sources.located(0, std::move(status.error()));
  }
  return finish_trace(std::move(builder_), sources, options_,
                      {.format = rules_.format,
                       .rules = rules_.meaning,
                       .initial = ValueId::integer(0),
                       .source_bytes = bytes_,
                       .assumptions = assumptions()});
}

}  // namespace elapid
