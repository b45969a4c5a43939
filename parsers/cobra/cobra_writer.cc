#include "parsers/cobra/cobra_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/cobra/log_record.h"
#include "parsers/convert/events.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

constexpr std::int64_t kInitialId = cobra::kInitialId;
constexpr std::int64_t kUniversalId = cobra::kUniversalId;

void write_big_endian(std::int64_t value, OutputFile& out) {
  std::array<char, 8> bytes{};
  auto rest = static_cast<std::uint64_t>(value);
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    *byte = static_cast<char>(rest & 0xffU);
    rest >>= 8U;
  }
  out << std::string_view(bytes.data(), bytes.size());
}

class CobraWriter {
 public:
  explicit CobraWriter(const Plan& plan)
      : plan_(plan),
        is_universal_(plan.target().dialect == "universal"),
        ids_(plan.history().txn_count(), 0) {
    if (plan.target().dialect == "timestamps") {
      times_ = plan_times_ms(plan);
    }
    for (const PlannedTxn& txn : plan.txns()) {
      ids_[txn.txn.index()] = ++last_id_;
    }
    for (TxnId txn{0}; txn.index() < ids_.size(); ++txn.value) {
      if (is_aborted(txn)) {
        ids_[txn.index()] = ++last_id_;
      }
    }
  }

  void write_log(std::span<const PlannedTxn> txns, OutputFile& out) {
    for (const PlannedTxn& txn : txns) {
      const std::int64_t id = ids_[txn.txn.index()];
      const std::optional<TimesMs> times = times_of(txn);
      write_record('S', {id}, out);
      write_time(times, &TimesMs::start, out);
      plan_.ops(txn, ops_);
      for (const PlannedOp& op : ops_) {
        op.kind == OpKind::kRead ? write_read(op, out) : write_write(op, out);
      }
      write_record('C', {id}, out);
      write_time(times, &TimesMs::commit, out);
    }
  }

  [[nodiscard]] bool has_aborted(SessionId session) const {
    return std::ranges::any_of(plan_.history().session_txns(session),
                               [this](TxnId txn) { return is_aborted(txn); });
  }

  /// Writes the outcome of each transaction of a session.
  void write_debug(SessionId session, OutputFile& out) const {
    for (const TxnId txn : plan_.history().session_txns(session)) {
      const auto id = static_cast<std::uint64_t>(ids_[txn.index()]);
      if (id == 0) {
        continue;
      }
      const std::string who = "[DEBUG] Txn[" + cobra::hex(id).substr(2) + "] ";
      out << who << "start\n";
      if (is_aborted(txn)) {
        out << who << "abort\n";
      } else {
        out << who << "try to commit\n" << who << "successfully commit\n";
      }
    }
  }

 private:
  [[nodiscard]] bool is_aborted(TxnId txn) const {
    return plan_.history().status(txn) == TxnStatus::kAborted;
  }

  static void write_record(char kind, std::initializer_list<std::int64_t> fields, OutputFile& out) {
    out << kind;
    for (const std::int64_t field : fields) {
      write_big_endian(field, out);
    }
  }

  [[nodiscard]] std::optional<TimesMs> times_of(const PlannedTxn& txn) const {
    const auto place = static_cast<std::size_t>(ids_[txn.txn.index()] - 1);
    return times_.empty() ? std::nullopt : std::optional(times_[place]);
  }

  static void write_time(const std::optional<TimesMs>& times, std::int64_t TimesMs::*which,
                         OutputFile& out) {
    if (times) {
      write_big_endian((*times).*which, out);
    }
  }

  void write_write(const PlannedOp& op, OutputFile& out) const {
    const std::int64_t id = is_universal_ ? kUniversalId : op.value_number;
    write_record('W', {id, op.key_number, op.value_number}, out);
  }

  void write_read(const PlannedOp& op, OutputFile& out) {
    if (op.is_initial) {
      write_record('R', {kInitialId, kInitialId, op.key_number, 0}, out);
    } else if (is_universal_) {
      write_record('R', {kUniversalId, kUniversalId, op.key_number, op.value_number}, out);
    } else {
      write_record('R', {writer(op), op.value_number, op.key_number, op.value_number}, out);
    }
  }

  /// The transaction that wrote the value that a read saw. Aborted transactions come last: one of
  /// them is taken only if no other transaction wrote the value.
  std::int64_t writer(const PlannedOp& read) {
    std::int64_t first = 0;
    for (const WrittenValues::Write& write : plan_.written().find(read.key, read.value)) {
      const std::int64_t id = ids_[write.txn.index()];
      first = id != 0 && (first == 0 || id < first) ? id : first;
    }
    if (first != 0) {
      return first;
    }
    const auto [unknown, is_new] = unknown_.try_emplace({read.key, read.value}, 0);
    if (is_new) {
      unknown->second = ++last_id_;
    }
    return unknown->second;
  }

  const Plan& plan_;
  bool is_universal_;
  std::vector<TimesMs> times_;  // by place in Plan::txns(), which is the id less one; or empty
  std::int64_t last_id_ = 0;
  std::vector<std::int64_t> ids_;  // by transaction; 0: neither written nor aborted
  std::map<std::pair<KeyId, ValueId>, std::int64_t> unknown_;
  std::vector<PlannedOp> ops_;
};

/// Writes a file of the directory.
template <class Write>
Status write_file(const std::string& name, OutputDirectory& out, Write write) {
  ELAPID_ASSIGN_OR_RETURN(OutputFile file, out.file(name));
  write(file);
  return file.commit();
}

}  // namespace

Status write_cobra(const Plan& plan, OutputDirectory& out) {
  CobraWriter writer(plan);
  const auto stem = [](std::int64_t session) { return 'T' + std::to_string(session); };
  std::set<std::int64_t> logged;
  for (const PlannedSession& session : plan.sessions()) {
    logged.insert(session.name);
    Status status = write_file(stem(session.name) + ".log", out,
                               [&](OutputFile& log) { writer.write_log(session.txns, log); });
    ELAPID_RETURN_IF_ERROR(status);
  }
  for (SessionId session{0}; session.index() < plan.session_numbers().size(); ++session.value) {
    if (!writer.has_aborted(session)) {
      continue;
    }
    const std::int64_t number = plan.session_numbers()[session.index()];
    Status status = write_file(stem(number) + ".debug", out,
                               [&](OutputFile& debug) { writer.write_debug(session, debug); });
    if (status.ok() && !logged.contains(number)) {
      status = write_file(stem(number) + ".log", out, [](OutputFile& /*empty*/) {});
    }
    ELAPID_RETURN_IF_ERROR(status);
  }
  return {};
}

}  // namespace elapid
