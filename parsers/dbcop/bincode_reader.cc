#include "parsers/dbcop/readers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/bytes/window.h"
#include "parsers/bytes/word.h"
#include "parsers/dbcop/dbcop_format.h"
#include "parsers/read_progress.h"
#include "parsers/traces/int_keys.h"
#include "parsers/traces/is_utf8.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kBincodeRules = {
    .initial = "0, or what an initial transaction wrote",
    .reads = "a read tells the value alone",
    .aborted = "transactions without success",
    .indeterminate = "not told apart from aborted ones",
};

constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kEventBytes = 18;

/// An event in the file's bytes.
class EventBytes {
 public:
  explicit EventBytes(const char* bytes) : bytes_(bytes) {}

  [[nodiscard]] bool has_bools() const { return (is_write() | succeeded()) <= 1; }

  [[nodiscard]] unsigned is_write() const { return static_cast<unsigned char>(bytes_[0]); }

  [[nodiscard]] std::uint64_t variable() const { return word_at(bytes_ + 1); }

  [[nodiscard]] std::uint64_t value() const { return word_at(bytes_ + 9); }

  [[nodiscard]] unsigned succeeded() const { return static_cast<unsigned char>(bytes_[17]); }

  [[nodiscard]] bool is_write_of_zero() const {
    return is_write() == 1 && value() == 0 && succeeded() == 1;
  }

 private:
  const char* bytes_;
};

class BincodeReader {
 public:
  BincodeReader(ByteSource& source, const ReadOptions& options)
      : options_(options), window_(source), progress_(source, options), total_(source.total()) {}

  Status read();
  Result<History> finish(Sources& sources) &&;

 private:
  Status read_head();
  Status read_text(const char* what);
  bool begins_with_initial_txn();
  Status read_sessions();
  Status read_session();
  Status read_end();
  Status read_txn();
  Status read_events(std::uint64_t count);
  Status add_events(std::string_view bytes);
  std::optional<std::uint64_t> number();
  Error cut_off(const std::string& expected);
  [[nodiscard]] std::string place() const;

  const ReadOptions& options_;
  Window window_;
  ReadProgress progress_;
  std::uint64_t total_;
  std::optional<HistoryBuilder> builder_;  // made when it is known how the history begins
  std::optional<NaturalKeys> keys_;
  std::uint64_t session_count_ = 0;
  std::uint64_t session_ = 0;  // what is being read, counted from 1 as dbcop does
  std::uint64_t txn_ = 0;
  std::uint64_t event_ = 0;
  std::size_t txns_ = 0;
  std::uint64_t failed_events_ = 0;
  std::uint64_t zero_writes_ = 0;
  std::vector<MopInput> mops_;
};

std::optional<std::uint64_t> BincodeReader::number() {
  const std::string_view ahead = window_.ahead(kNumberBytes);
  if (ahead.size() < kNumberBytes) {
    return std::nullopt;
  }
  window_.skip(kNumberBytes);
  return word_at(ahead.data());
}

/// The place reached, as ` in session 1, transaction 2, event 3`.
std::string BincodeReader::place() const {
  const auto part = [](const char* what, std::uint64_t n) {
    return n == 0 ? std::string() : what + std::to_string(n);
  };
  return part(" in session ", session_) + part(", transaction ", txn_) + part(", event ", event_);
}

/// The error for an input that ends here or cannot be read further.
Error BincodeReader::cut_off(const std::string& expected) {
  return window_.error()
             ? *window_.error()
             : malformed_at(window_.offset(), "expected " + expected + place() +
                                                  ", found the end of the input after " +
                                                  std::to_string(window_.ahead(1).size()) +
                                                  " more bytes");
}

Status BincodeReader::read() {
  ELAPID_RETURN_IF_ERROR(read_head());
  builder_.emplace(BuilderOptions{.first_txn = begins_with_initial_txn() ? FirstTxn::kZeros
                                                                         : FirstTxn::kOrdinary});
  constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 33;  // bytes of the file
  builder_->reserve(std::min(total_, kMostReserved) / kEventBytes);
  keys_.emplace(*builder_);
  Status status = read_sessions();
  status = status.ok() ? read_end() : std::move(status);
  return status.ok() ? Status()
                     : end_at_break(*builder_, options_, std::move(status.error()), txns_);
}

/// Nothing may follow the last session.
Status BincodeReader::read_end() {
  if (!window_.at_end()) {
    return malformed_at(window_.offset(), "expected the end of the input behind the last of " +
                                              std::to_string(session_count_) +
                                              " sessions, found more bytes");
  }
  return window_.error() ? Status(*window_.error()) : Status();
}

Status BincodeReader::read_head() {
  constexpr int kHints = 5;
  for (int i = 0; i < kHints; ++i) {
    if (!number()) {
      return cut_off("five numbers");
    }
  }
  for (const char* what : {"the information", "the start time", "the end time"}) {
    ELAPID_RETURN_IF_ERROR(read_text(what));
  }
  const auto count = number();
  if (!count) {
    return cut_off("the number of sessions");
  }
  session_count_ = *count;
  return {};
}

Status BincodeReader::read_text(const char* what) {
  constexpr std::uint64_t kMaxText = std::uint64_t{1} << 20;
  const std::uint64_t offset = window_.offset();
  const auto length = number();
  if (!length) {
    return cut_off(std::string("the length of ") + what);
  }
  if (*length > kMaxText) {
    return malformed_at(offset, std::string("expected ") + what +
                                    " in at most 1 MiB, found a length of " +
                                    std::to_string(*length) + " bytes");
  }
  const std::string_view ahead = window_.ahead(*length);
  if (ahead.size() < *length) {
    return cut_off(std::string(what) + " in " + std::to_string(*length) + " bytes");
  }
  if (!is_utf8(ahead.substr(0, *length))) {
    return malformed_at(window_.offset(),
                        std::string("expected ") + what + " in valid UTF-8, found something else");
  }
  window_.skip(*length);
  return {};
}

/// Whether the first session is one transaction that only writes zeros. Looks ahead as far as this
/// holds.
bool BincodeReader::begins_with_initial_txn() {
  constexpr std::size_t kEvents = 2 * kNumberBytes;  // behind two counts
  const std::string_view counts = window_.ahead(kEvents);
  if (session_count_ < 2 || counts.size() < kEvents || word_at(counts.data()) != 1) {
    return false;
  }
  const std::uint64_t count = word_at(counts.data() + kNumberBytes);
  std::size_t at = kEvents;
  for (std::uint64_t i = 0; i < count; ++i, at += kEventBytes) {
    const std::string_view ahead = window_.ahead(at + kEventBytes);
    if (ahead.size() < at + kEventBytes || !EventBytes(ahead.data() + at).is_write_of_zero()) {
      return false;
    }
  }
  return count > 0;
}

Status BincodeReader::read_sessions() {
  while (session_ < session_count_) {
    ++session_;
    ELAPID_RETURN_IF_ERROR(read_session());
  }
  return {};
}

Status BincodeReader::read_session() {
  txn_ = 0;
  const auto count = number();
  if (!count) {
    return cut_off("the number of transactions, as " + std::to_string(session_count_) +
                   " sessions are announced,");
  }
  while (txn_ < *count) {
    ++txn_;
    ELAPID_RETURN_IF_ERROR(read_txn());
    ELAPID_RETURN_IF_ERROR(progress_.report(window_.offset()));
  }
  txn_ = 0;
  return {};
}

Status BincodeReader::read_txn() {
  const SourcePosition position{.file = 0, .offset = window_.offset()};
  const auto count = number();
  if (!count) {
    return cut_off("the number of events");
  }
  ELAPID_RETURN_IF_ERROR(read_events(*count));
  const std::string_view success = window_.ahead(1);
  if (success.empty()) {
    return cut_off("the success of the transaction");
  }
  const unsigned has_committed = static_cast<unsigned char>(success.front());
  if (has_committed > 1) {
    return malformed_at(window_.offset(), "expected a bool, 0 or 1, found " +
                                              std::to_string(has_committed) + place());
  }
  window_.skip(1);
  ++txns_;
  return builder_->add_transaction(
      {.session = static_cast<std::int64_t>(session_),
       .status = has_committed == 1 ? TxnStatus::kCommitted : TxnStatus::kAborted,
       .position = position,
       .mops = mops_});
}

/// Memory grows with the events read, not with the announced count.
Status BincodeReader::read_events(std::uint64_t count) {
  mops_.clear();
  event_ = 0;
  while (event_ < count) {
    const std::string_view ahead = window_.ahead(kEventBytes);
    const std::uint64_t whole = std::min<std::uint64_t>(count - event_, ahead.size() / kEventBytes);
    if (whole == 0) {
      ++event_;
      return cut_off("18 bytes, as " + std::to_string(count) + " events are announced,");
    }
    ELAPID_RETURN_IF_ERROR(add_events(ahead.substr(0, whole * kEventBytes)));
    window_.skip(whole * kEventBytes);
  }
  event_ = 0;
  return {};
}

Status BincodeReader::add_events(std::string_view bytes) {
  ValuePool& values = builder_->values();
  for (std::size_t at = 0; at < bytes.size(); at += kEventBytes) {
    values.prefetch(static_cast<std::int64_t>(EventBytes(bytes.data() + at).value()));
  }
  for (std::size_t at = 0; at < bytes.size(); at += kEventBytes) {
    ++event_;
    const EventBytes event(bytes.data() + at);
    if (!event.has_bools()) {
      return malformed_at(window_.offset() + at,
                          "expected bools, 0 or 1, as first and last byte, found " +
                              std::to_string(event.is_write()) + " and " +
                              std::to_string(event.succeeded()) + place());
    }
    if (event.succeeded() == 0) {
      ++failed_events_;
      continue;
    }
    zero_writes_ += event.is_write_of_zero() ? 1U : 0U;
    mops_.push_back({.kind = event.is_write() == 1 ? OpKind::kWrite : OpKind::kRead,
                     .key = keys_->key(event.variable()),
                     .value = values.natural(event.value())});
  }
  return {};
}

Result<History> BincodeReader::finish(Sources& sources) && {
  TraceFacts facts{.format = &kDbcopFormat,
                   .rules = kBincodeRules,
                   .initial = ValueId::integer(0),
                   .source_bytes = window_.offset()};
  if (failed_events_ > 0) {
    facts.assumptions.push_back(
        "Operations left out because they failed: " + std::to_string(failed_events_) + '.');
  }
  if (zero_writes_ > 0) {
    facts.assumptions.push_back(
        "Operations that write 0, which keys hold before the first write as well: " +
        std::to_string(zero_writes_) + '.');
  }
  return finish_trace(std::move(*builder_), sources, options_, std::move(facts));
}

}  // namespace

Result<History> read_dbcop_bincode(Sources& sources, const ReadOptions& options) {
  Result<History> history = read_trace<BincodeReader>(sources, options);
  if (!history) {  // binary files have no lines
    history.error().line.reset();
    history.error().column.reset();
  }
  return history;
}

}  // namespace elapid
