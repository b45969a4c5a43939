#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"
#include "parsers/bytes/window.h"
#include "parsers/elle_json/edn_text.h"
#include "parsers/isopredict/isopredict_format.h"
#include "parsers/isopredict/isopredict_line.h"
#include "parsers/read_progress.h"
#include "parsers/traces/other_line.h"
#include "parsers/traces/trace_reader.h"
#include "parsers/traces/txn_collector.h"

namespace elapid {

namespace {

constexpr FormatRules kIsoPredictRules = {
    .initial = "what transaction (0, 0) wrote: 0",
    .reads = "they name the transaction they read from; values are made up",
    .aborted = "not recorded",
    .indeterminate = "not recorded"};

constexpr TxnName kInitialTxn = {.session = 0, .index = 0};
// Numbers of sessions that traces cannot have.
constexpr std::int64_t kSessionOfT0 = -1;
constexpr std::int64_t kUnknownSession = -2;

class IsopredictReader {
 public:
  IsopredictReader(ByteSource& source, const ReadOptions& options)
      : options_(options),
        window_(source),
        progress_(source, options),
        builder_({.first_txn = options.initial ? FirstTxn::kOrdinary : FirstTxn::kMarked}) {}

  Status read();
  Result<History> finish(Sources& sources) &&;

 private:
  struct Event {
    std::uint64_t offset = 0;
    KeyId key = {};
    TxnName txn = {};
    std::optional<TxnName> from = {};  // of a read
    std::uint32_t value = 0;           // of a write
  };

  struct Txn {
    std::uint64_t offset = 0;
    std::uint32_t number = 0;  // in the collector
  };

  using NamedTxn = std::pair<const TxnName, Txn>;
  /// A transaction's writes of one key.
  using WriterName = std::pair<std::uint32_t, TxnName>;

  Status take_line(std::string_view line, std::uint64_t offset);
  void take_event(const IsopredictEvent& event);
  KeyId key(std::string_view name);
  void drop_last_txn();
  [[nodiscard]] std::vector<NamedTxn*> in_order();
  void begin_txns();
  void write_initial_state();
  Status collect();
  Result<ValueId> value_from(const Event& read);
  Status add_unknown_writers();
  [[nodiscard]] std::vector<std::string> assumptions() const;

  [[nodiscard]] bool has_initial_txn() const { return txns_.contains(kInitialTxn); }

  const ReadOptions& options_;
  Window window_;
  ReadProgress progress_;
  HistoryBuilder builder_;
  std::vector<Event> events_;
  std::map<TxnName, Txn> txns_;               // in session order
  std::vector<std::uint32_t> writes_;         // so far, by key
  std::map<WriterName, std::uint32_t> last_;  // the last value that each writer wrote to a key
  std::vector<Event> unknown_;                // writes that reads saw and the trace lacks
  TxnCollector collector_;
  std::uint64_t own_reads_ = 0;
  std::uint64_t other_lines_ = 0;
  bool ends_with_event_ = false;  // the line read last is one
};

Status IsopredictReader::read() {
  Status status = each_line(
      window_, progress_, builder_,
      [this](std::string_view line, std::uint64_t offset) { return take_line(line, offset); });
  if (!status.ok()) {
    drop_last_txn();
    status = end_at_break(builder_, options_, std::move(status.error()), txns_.size());
  } else if (!ends_with_event_) {
    note_open_line(window_, builder_);
  }
  if (status.ok()) {
    begin_txns();
    status = collect();
  }
  return status;
}

Status IsopredictReader::take_line(std::string_view line, std::uint64_t offset) {
  ELAPID_ASSIGN_OR_RETURN(std::optional<IsopredictEvent> event,
                          parse_isopredict_line(line, offset));
  ends_with_event_ = event.has_value();
  if (ends_with_event_) {
    take_event(*event);
  } else if (line.find_first_not_of(" \t") != std::string_view::npos) {
    ++other_lines_;
    return check_other_line(line, offset);
  }
  return {};
}

void IsopredictReader::take_event(const IsopredictEvent& event) {
  const KeyId key = this->key(event.key);
  txns_.try_emplace(event.txn, Txn{.offset = event.offset});
  Event& last = events_.emplace_back(
      Event{.offset = event.offset, .key = key, .txn = event.txn, .from = event.from});
  const WriterName writer = {key.value, event.txn};
  if (!event.from) {
    last.value = event.txn == kInitialTxn ? 0 : ++writes_[key.index()];
    last_[writer] = last.value;
  } else if (last_.contains(writer)) {
    ++own_reads_;
    events_.pop_back();
  }
}

KeyId IsopredictReader::key(std::string_view name) {
  std::string text;
  append_edn_string(name, text);
  const KeyId key = builder_.key(builder_.values().intern(text));
  writes_.resize(std::max(writes_.size(), key.index() + 1));
  return key;
}

/// Removes the transaction of the last event, since its rest may be missing.
void IsopredictReader::drop_last_txn() {
  if (events_.empty()) {
    return;
  }
  const TxnName dropped = events_.back().txn;
  std::erase_if(events_, [&](const Event& event) { return event.txn == dropped; });
  std::erase_if(last_, [&](const auto& written) { return written.first.second == dropped; });
  txns_.erase(dropped);
}

/// The transactions in session order. Without an initial transaction, none may look like one:
/// first, alone in its session, and with writes of all keys only.
std::vector<IsopredictReader::NamedTxn*> IsopredictReader::in_order() {
  std::vector<NamedTxn*> order;
  std::map<std::int64_t, std::size_t> sizes;
  for (NamedTxn& entry : txns_) {
    order.push_back(&entry);
    ++sizes[entry.first.session];
  }
  std::map<TxnName, std::size_t> writes;
  std::set<TxnName> readers;
  for (const Event& event : events_) {
    event.from ? void(readers.insert(event.txn)) : void(++writes[event.txn]);
  }
  const auto looks_initial = [&](const NamedTxn* entry) {
    return writes_.size() > 1 && sizes[entry->first.session] == 1 &&
           !readers.contains(entry->first) && writes[entry->first] == writes_.size();
  };
  if (!has_initial_txn()) {
    std::ranges::rotate(order, std::ranges::find_if_not(order, looks_initial));
  }
  return order;
}

/// The initial state gets a session of its own, even if session 0 has other transactions.
void IsopredictReader::begin_txns() {
  const auto second = txns_.upper_bound(kInitialTxn);
  const bool is_alone = second == txns_.end() || second->first.session != kInitialTxn.session;
  for (auto* const entry : in_order()) {
    auto& [name, txn] = *entry;
    txn.number =
        collector_.begin({.session = name == kInitialTxn && !is_alone ? kSessionOfT0 : name.session,
                          .position = {.file = 0, .offset = txn.offset}});
  }
  if (has_initial_txn()) {
    write_initial_state();
  }
}

void IsopredictReader::write_initial_state() {
  for (std::uint32_t key = 0; key < writes_.size(); ++key) {
    collector_.add(txns_.at(kInitialTxn).number, OpKind::kWrite, {key}, ValueId::integer(0));
  }
}

Status IsopredictReader::collect() {
  for (const Event& event : events_) {
    const std::uint32_t txn = txns_.at(event.txn).number;
    if (event.from) {
      ELAPID_ASSIGN_OR_RETURN(const ValueId value, value_from(event));
      collector_.add(txn, OpKind::kRead, event.key, value);
    } else if (event.txn != kInitialTxn) {
      collector_.add(txn, OpKind::kWrite, event.key, builder_.values().natural(event.value));
    }
  }
  return {};
}

/// The value that a read saw. Error: its writer does not exist.
Result<ValueId> IsopredictReader::value_from(const Event& read) {
  const WriterName writer = {read.key.value, *read.from};
  if (*read.from == kInitialTxn) {
    return ValueId::integer(0);
  }
  if (const auto written = last_.find(writer); written != last_.end()) {
    return builder_.values().natural(written->second);
  }
  const std::string found =
      "a dangling read: expected From to name a transaction that writes the "
      "key, found (" +
      std::to_string(read.from->session) + ", " + std::to_string(read.from->index) + ')';
  if (!options_.salvage) {
    return malformed_at(read.offset, found);
  }
  builder_.remark(Remark::Kind::kOther, {.file = 0, .offset = read.offset},
                  found + "; an indeterminate transaction is taken to have written it");
  const std::uint32_t value = ++writes_[read.key.index()];
  last_[writer] = value;
  unknown_.push_back({.offset = read.offset, .key = read.key, .value = value});
  return builder_.values().natural(value);
}

Status IsopredictReader::add_unknown_writers() {
  for (const Event& write : unknown_) {
    const MopInput mop = {
        .kind = OpKind::kWrite, .key = write.key, .value = builder_.values().natural(write.value)};
    ELAPID_RETURN_IF_ERROR(
        builder_.add_transaction({.session = kUnknownSession,
                                  .status = TxnStatus::kIndeterminate,
                                  .position = {.file = 0, .offset = write.offset},
                                  .mops = {&mop, 1}}));
  }
  return {};
}

std::vector<std::string> IsopredictReader::assumptions() const {
  std::vector<std::string> sentences = {
      "Values are made up: the n-th write to a key writes n, and a read sees the last one of the "
      "transaction that it names.",
      has_initial_txn()
          ? "Transaction (0, 0) is the initial state: it is taken to write 0, once, to "
            "every key of the trace."
          : "Transaction (0, 0) is not in the trace: what is read from it is the "
            "initial value, 0."};
  if (own_reads_ > 0) {
    sentences.push_back("Reads of keys that their transaction had written were left out: " +
                        std::to_string(own_reads_) + '.');
  }
  if (other_lines_ > 0) {
    sentences.push_back("Lines without an event were left out: " + std::to_string(other_lines_) +
                        '.');
  }
  return sentences;
}

Result<History> IsopredictReader::finish(Sources& sources) && {
  Status status = collector_.hand_over(builder_);
  if (status.ok()) {
    status = add_unknown_writers();
  }
  if (!status.ok()) {
    return sources.located(0, std::move(status.error()));
  }
  return finish_trace(std::move(builder_), sources, options_,
                      {.format = &kIsopredictFormat,
                       .rules = kIsoPredictRules,
                       .initial = has_initial_txn() ? ValueId::none() : ValueId::integer(0),
                       .source_bytes = window_.offset(),
                       .assumptions = assumptions()});
}

}  // namespace

Result<History> read_isopredict(Sources& sources, const std::string& /*dialect*/,
                                const ReadOptions& options) {
  return read_trace<IsopredictReader>(sources, options);
}

namespace {

std::vector<Sign> looks_like_isopredict(const FileLook& file) {
  static const Pattern pattern(R"((^|\s)((READ|WRITE) KEY\[|INSERT\[|DELETE\[|CONTAINS\[))", "",
                               {" KEY[", "INSERT[", "DELETE[", "CONTAINS["});
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {
      {Strength::kStrong, "its first line names a key and the transaction that read or wrote it"}};
}

constexpr std::array kIsopredictTargets = {Target{.format = &kIsopredictFormat,
                                                  .extension = ".txt",
                                                  .write_file = write_isopredict,
                                                  .drops_values = true,
                                                  .drops_own_reads = true,
                                                  .by_session = true,
                                                  .first_session = 1}};

}  // namespace

constinit const Format kIsopredictFormat = {.name = "isopredict",
                                            .tools = "IsoPredict, MonkeyDB",
                                            .looks_at_file = looks_like_isopredict,
                                            .read = read_isopredict,
                                            .targets = kIsopredictTargets};

}  // namespace elapid
