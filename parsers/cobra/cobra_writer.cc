#include "parsers/cobra/cobra_writer.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elapid {

namespace {

constexpr std::int64_t kInitialId = 0xbebeebee;
constexpr std::int64_t kUniversalId = 0xabddefee;

/// Big-endian.
void write_i64(std::int64_t value, OutputFile& out) {
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
    for (const PlannedTxn& txn : plan.txns()) {
      ids_[txn.txn.index()] = ++last_id_;
    }
  }

  void write_session(std::span<const PlannedTxn> txns, OutputFile& out) {
    for (const PlannedTxn& txn : txns) {
      const std::int64_t id = ids_[txn.txn.index()];
      write_record('S', {id}, out);
      plan_.ops(txn, ops_);
      for (const PlannedOp& op : ops_) {
        op.kind == OpKind::kRead ? write_read(op, out) : write_write(op, out);
      }
      write_record('C', {id}, out);
    }
  }

 private:
  static void write_record(char kind, std::initializer_list<std::int64_t> fields, OutputFile& out) {
    out << kind;
    for (const std::int64_t field : fields) {
      write_i64(field, out);
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

  /// The transaction whose write a read saw.
  std::int64_t writer(const PlannedOp& read) {
    for (const WrittenValues::Write& write : plan_.written().find(read.key, read.value)) {
      if (ids_[write.txn.index()] != 0) {
        return ids_[write.txn.index()];
      }
    }
    const auto [unknown, is_new] = unknown_.try_emplace({read.key, read.value}, 0);
    if (is_new) {
      unknown->second = ++last_id_;
    }
    return unknown->second;
  }

  const Plan& plan_;
  bool is_universal_;
  std::int64_t last_id_ = 0;
  std::vector<std::int64_t> ids_;  // by transaction; 0: not written
  std::map<std::pair<KeyId, ValueId>, std::int64_t> unknown_;
  std::vector<PlannedOp> ops_;
};

}  // namespace

Status write_cobra(const Plan& plan, OutputDirectory& out) {
  CobraWriter writer(plan);
  for (const PlannedSession& session : plan.sessions()) {
    Result<OutputFile> log = out.file("T" + std::to_string(session.name) + ".log");
    if (!log) {
      return std::move(log.error());
    }
    writer.write_session(session.txns, log.value());
    if (Status status = log.value().commit(); !status.ok()) {
      return status;
    }
  }
  return {};
}

}  // namespace elapid
