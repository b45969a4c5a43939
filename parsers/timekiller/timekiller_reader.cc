#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/timekiller/session_names.h"
#include "parsers/timekiller/timekiller_builder.h"
#include "parsers/timekiller/timekiller_format.h"
#include "parsers/timekiller/timekiller_txn.h"
#include "parsers/timekiller/txn_pieces.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

/// The order of sessions whose transactions have numbers (`seq`) and come in any order. The first
/// round notes all numbers. In the second round transactions wait for their turn. Takes 16 bytes
/// for each number.
class SessionSequence {
 public:
  /// First round: notes the next transaction of the input.
  void note(const TimekillerTxn& txn, std::int64_t session);

  /// Called between the rounds.
  void sort();

  /// Second round, with the same transactions: adds this one by `add(txn)`, which returns a Status,
  /// and then those of its session that waited for it; or keeps a copy until its turn comes.
  /// Without numbers the order is that of the input. Error kMalformed: a missing or repeated number
  /// in a session; those of `add`.
  template <class Add>
  Status take(const TimekillerTxn& txn, std::int64_t session, Add add) {
    Session& own = sessions_[session];
    ELAPID_RETURN_IF_ERROR(check(own, txn));
    if (txn.sequence && txn.sequence != own.turn()) {
      own.waiting.emplace(*txn.sequence, txn);
      return {};
    }
    Status status = add(txn);
    while (status.ok() && own.pass()) {
      status = add(own.waiting.begin()->second);
      own.waiting.erase(own.waiting.begin());
    }
    return status;
  }

  /// Adds the transactions that still wait when the input breaks off, session by session.
  template <class Add>
  Status take_waiting(Add add) {
    for (auto& [session, own] : sessions_) {
      for (const auto& [number, txn] : own.waiting) {
        ELAPID_RETURN_IF_ERROR(add(txn, session));
      }
      own.waiting.clear();
    }
    return {};
  }

 private:
  struct Session {
    std::vector<std::int64_t> numbers = {};  // ascending after sort()
    std::size_t next = 0;                    // in numbers
    std::map<std::int64_t, TimekillerTxn> waiting = {};

    [[nodiscard]] std::optional<std::int64_t> turn() const {
      return next < numbers.size() ? std::optional(numbers[next]) : std::nullopt;
    }

    bool pass();
  };

  static Status check(const Session& session, const TimekillerTxn& txn);

  std::map<std::int64_t, Session> sessions_;
};

void SessionSequence::note(const TimekillerTxn& txn, std::int64_t session) {
  if (txn.sequence) {
    sessions_[session].numbers.push_back(*txn.sequence);
  }
}

void SessionSequence::sort() {
  for (auto& [session, own] : sessions_) {
    std::ranges::sort(own.numbers);
    const auto repeated = std::ranges::unique(own.numbers);
    own.numbers.erase(repeated.begin(), repeated.end());
  }
}

Status SessionSequence::check(const Session& session, const TimekillerTxn& txn) {
  if (!txn.sequence) {
    return session.numbers.empty()
               ? Status()
               : malformed_at(txn.offset,
                              "expected a \"seq\", as other transactions of the session have, "
                              "found none");
  }
  const std::optional<std::int64_t> turn = session.turn();
  if (!turn || *txn.sequence < *turn || session.waiting.contains(*txn.sequence)) {
    return malformed_at(txn.offset, "expected a new seq in the session, found " +
                                        std::to_string(*txn.sequence) + " a second time");
  }
  return {};
}

/// After an addition: whether the first waiting transaction is next.
bool SessionSequence::Session::pass() {
  next += next < numbers.size() ? 1U : 0U;
  return !waiting.empty() && waiting.begin()->first == turn();
}

constexpr FormatRules kTimeKillerRules = {
    .initial = "null; see the option initial",
    .reads = "by the value read; the timestamps say which snapshot a transaction read from",
    .aborted = "not recorded: every transaction is committed",
    .indeterminate = "not recorded"};

/// Facts that must be known before the transactions are read.
struct Survey {
  std::optional<Workload> workload = {};  // none so far
  std::string reason = "nothing is written, and no list is read";
  std::int64_t least = 0;  // p
  std::int64_t most = 0;   // p
  std::int64_t logical = 0;
  bool is_numbered = false;
  SessionNames names = {};
  SessionSequence sequence = {};

  void look_at(const TimekillerTxn& txn) {
    least = std::min({least, txn.start.physical, txn.commit.physical});
    most = std::max({most, txn.start.physical, txn.commit.physical});
    logical = std::max({logical, txn.start.logical, txn.commit.logical});
    is_numbered |= txn.sequence.has_value();
    sequence.note(txn, names.number(txn));
    for (const TimekillerOp& op : txn.ops) {
      if (workload) {
        return;
      }
      look_at(op);
    }
  }

  void look_at(const TimekillerOp& op) {
    if (op.kind == OpKind::kAppend) {
      workload = Workload::kListAppend;
      reason = "something is appended";
    } else if (op.kind == OpKind::kWrite) {
      workload = Workload::kRwRegister;
      reason = "something is written";
    } else if (op.value_kind == TimekillerValue::kList) {
      workload = Workload::kListAppend;
      reason = "a list is read";
    }
  }

  /// The number of logical bits; at least 18, as in TiDB's timestamps.
  [[nodiscard]] unsigned logical_bits() const {
    constexpr unsigned kUsual = 18;
    constexpr std::int64_t kUsualLimit = std::int64_t{1} << (63 - kUsual);
    const auto needed = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(logical)));
    const bool fits_usual = needed <= kUsual && least > -kUsualLimit && most < kUsualLimit;
    return needed == 0 || !fits_usual ? needed : kUsual;
  }
};

/// Reads until the workload is known, or to the end. The only error is an interruption; the reading
/// itself reports others.
Result<Survey> survey(ByteSource& source, const ReadOptions& options, bool is_whole) {
  Survey survey;
  ReadOptions how = options;
  how.threads = is_whole ? options.threads : 1;  // the first operations tell the workload
  TxnsRead txns = for_each_txn(source, how, [&](const TimekillerTxn& txn) {
    survey.look_at(txn);
    return is_whole || !survey.workload;
  });
  ELAPID_RETURN_IF_ERROR(txns.wanted);
  ELAPID_RETURN_IF_ERROR(source.rewind());
  return survey;
}

/// One pass over the input.
class Pass {
 public:
  Pass(Sources& sources, ByteSource& source, const ReadOptions& options, Workload workload,
       unsigned logical_bits, std::optional<SessionSequence> sequence)
      : sources_(sources),
        source_(source),
        options_(options),
        workload_(workload),
        logical_bits_(logical_bits),
        sequence_(std::move(sequence)),
        builder_(workload, logical_bits) {}

  /// Whether this pass is enough: false if there is a logical time and no bits for it, or a number
  /// in a session and no sequence.
  Result<bool> read() {
    Status status = builder_.set_initial(options_);
    ELAPID_RETURN_IF_ERROR(status);
    builder_.builder().expect_bytes(source_.total());
    bool is_enough = true;
    TxnsRead txns = for_each_txn(source_, options_, [&](const TimekillerTxn& txn) {
      is_enough = (logical_bits_ != 0 || (txn.start.logical | txn.commit.logical) == 0) &&
                  (!txn.sequence || sequence_);
      status = is_enough ? add(txn) : Status();
      return is_enough && status.ok();
    });
    if (!is_enough) {
      return false;
    }
    ELAPID_RETURN_IF_ERROR(txns.wanted);
    if (txns.has_byte_order_mark) {
      builder_.builder().remark(Remark::Kind::kByteOrderMark, {},
                                "the input begins with a byte order mark");
    }
    bytes_ = txns.offset;
    status = status.ok() ? txns.status : status;
    if (!status.ok()) {
      status = end_at_break(std::move(status.error()));
    }
    return status.ok() ? Result<bool>(true) : Result<bool>(std::move(status.error()));
  }

  Result<History> finish(std::optional<std::string> assumption) {
    HistoryInfo info;
    info.format = kTimekillerFormat.name;
    info.workload = workload_;
    info.files = sources_.names();
    info.rules = kTimeKillerRules;
    info.source_bytes = bytes_;
    if (assumption) {
      info.assumptions.push_back(std::move(*assumption));
    }
    describe_sessions(info);
    builder_.describe(info);
    return std::move(builder_.builder()).build(std::move(info));
  }

 private:
  Status add(const TimekillerTxn& txn) {
    const std::int64_t session = names_.number(txn);
    return sequence_ ? sequence_->take(
                           txn, session,
                           [&](const TimekillerTxn& next) { return builder_.add(next, session); })
                     : builder_.add(txn, session);
  }

  /// Salvages transactions that wait for others behind the break, too.
  Status end_at_break(Error error) {
    if (sequence_ && options_.salvage && error.kind == ErrorKind::kMalformed) {
      const Status waiting =
          sequence_->take_waiting([&](const TimekillerTxn& txn, std::int64_t session) {
            return builder_.add(txn, session);
          });
      error = waiting.ok() ? std::move(error) : waiting.error();
    }
    return elapid::end_at_break(builder_.builder(), options_, std::move(error), builder_.count());
  }

  void describe_sessions(HistoryInfo& info) const {
    if (sequence_) {
      info.assumptions.emplace_back("Transactions of a session are in the order of their seq.");
    }
    if (names_.other_count() > 0) {
      info.assumptions.push_back("Sessions whose sid is no natural number, " +
                                 std::to_string(names_.other_count()) +
                                 " in all, are numbered by first appearance, from -1 downwards.");
    }
  }

  Sources& sources_;
  ByteSource& source_;
  const ReadOptions& options_;
  Workload workload_;
  unsigned logical_bits_;
  std::optional<SessionSequence> sequence_;
  SessionNames names_;
  TimekillerBuilder builder_;
  std::uint64_t bytes_ = 0;
};

Result<History> read(Sources& sources, ByteSource& source, const ReadOptions& options) {
  Workload workload = options.workload.value_or(Workload::kRwRegister);
  std::optional<std::string> assumption;
  if (!options.workload) {
    ELAPID_ASSIGN_OR_RETURN(const Survey found, survey(source, options, false));
    workload = found.workload.value_or(workload);
    assumption = "The workload is " + std::string(workload.name()) + ": " + found.reason + ".";
  }
  unsigned logical_bits = 0;
  std::optional<SessionSequence> sequence;
  for (;;) {
    Pass pass(sources, source, options, workload, logical_bits, std::move(sequence));
    ELAPID_ASSIGN_OR_RETURN(const bool is_done, pass.read());
    if (is_done) {
      return pass.finish(std::move(assumption));
    }
    ELAPID_RETURN_IF_ERROR(source.rewind());
    ELAPID_ASSIGN_OR_RETURN(Survey found, survey(source, options, true));
    logical_bits = found.logical_bits();
    if (found.is_numbered) {
      found.sequence.sort();
      sequence = std::move(found.sequence);
    }
  }
}

}  // namespace

Result<History> read_timekiller(Sources& sources, const std::string& /*dialect*/,
                                const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  ELAPID_RETURN_IF_ERROR(source->rewind());
  Result<History> parsed = read(sources, *source, options);
  return parsed ? std::move(parsed) : sources.located(0, std::move(parsed.error()));
}

namespace {

std::vector<Sign> looks_like_timekiller(const FileLook& file) {
  const FirstForm& form = file.form;
  if (!form.is_object() || !form.has_key("sts") || !form.has_key("cts") || !form.has_key("ops")) {
    return {};
  }
  return {{Strength::kStrong, "its objects have sts, cts and ops"}};
}

constexpr std::array kTimekillerTargets = {Target{.format = &kTimekillerFormat,
                                                  .extension = ".json",
                                                  .write_file = write_timekiller,
                                                  .make_event_writer = make_timekiller_event_writer,
                                                  .lists = true,
                                                  .timestamps = true,
                                                  .needs_timestamps = true,
                                                  .empty_transactions = true,
                                                  .repeats = true,
                                                  .ids = true,
                                                  .keys = kNaturals,
                                                  .values = kIntegers}};

}  // namespace

constinit const Format kTimekillerFormat = {.name = "timekiller",
                                            .tools = "TimeKiller, Chronos, Aion",
                                            .looks_at_file = looks_like_timekiller,
                                            .read = read_timekiller,
                                            .is_stream = true,
                                            .targets = kTimekillerTargets};

}  // namespace elapid
