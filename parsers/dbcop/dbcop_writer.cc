#include "parsers/dbcop/dbcop_format.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

constexpr std::string_view kInfo = "written by elapid";
/// A time for the run, whose times are unknown: readers recognise the format by its times.
constexpr std::string_view kNoTime = "2000-01-01T00:00:00.000000000+00:00";

/// The sizes that dbcop calls parameters.
struct Totals {
  std::uint64_t sessions = 0;
  std::uint64_t keys = 0;
  std::uint64_t txns = 0;
  std::uint64_t ops = 0;
};

Totals totals_of(const Plan& plan) {
  Totals totals{.sessions = plan.sessions().size(),
                .keys = plan.count_planned_keys(),
                .txns = plan.txns().size()};
  std::vector<PlannedOp> ops;
  for (const PlannedTxn& txn : plan.txns()) {
    plan.ops(txn, ops);
    totals.ops += ops.size();
  }
  return totals;
}

bool is_success(const PlannedTxn& txn) {
  return txn.status != TxnStatus::kAborted;
}

/// Little-endian.
void write_u64(std::uint64_t n, OutputFile& out) {
  std::array<char, 8> bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(n & 0xffU);
    n >>= 8U;
  }
  out << std::string_view(bytes.data(), bytes.size());
}

void write_i64(std::int64_t n, OutputFile& out) {
  write_u64(static_cast<std::uint64_t>(n), out);
}

void write_bool(bool value, OutputFile& out) {
  out << (value ? '\1' : '\0');
}

void write_text(std::string_view text, OutputFile& out) {
  write_u64(text.size(), out);
  out << text;
}

void write_preamble(const Plan& plan, OutputFile& out) {
  const Totals totals = totals_of(plan);
  for (const std::uint64_t n :
       {std::uint64_t{0}, totals.sessions, totals.keys, totals.txns, totals.ops}) {
    write_u64(n, out);
  }
  write_text(kInfo, out);
  write_text(kNoTime, out);
  write_text(kNoTime, out);
}

void write_json_event(const PlannedOp& op, OutputFile& out) {
  out << (op.kind == OpKind::kRead ? "[\"r\"," : "[\"w\",") << op.key_number << ',';
  if (op.is_initial) {
    out << "null]";
  } else {
    out << op.value_number << ']';
  }
}

void write_json_txn(const Plan& plan, const PlannedTxn& txn, std::vector<PlannedOp>& ops,
                    OutputFile& out) {
  out << "{\"events\":[";
  plan.ops(txn, ops);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    out << (i == 0 ? "" : ",");
    write_json_event(ops[i], out);
  }
  out << "],\"committed\":" << (is_success(txn) ? "true}" : "false}");
}

void write_hist_event(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  if (plan.keeps_key_names()) {
    const std::string name = plan.history().key_text(op.key);
    out << std::string_view(name).substr(1, name.size() - 2);
  } else {
    out << op.key_number;
  }
  if (op.is_initial) {
    out << "==?";
  } else {
    out << (op.kind == OpKind::kRead ? "==" : ":=") << op.value_number;
  }
}

}  // namespace

Status write_dbcop_bincode(const Plan& plan, OutputFile& out) {
  write_preamble(plan, out);
  std::vector<PlannedOp> ops;
  const std::vector<PlannedSession> sessions = plan.sessions();
  write_u64(sessions.size(), out);
  for (const PlannedSession& session : sessions) {
    write_u64(session.txns.size(), out);
    for (const PlannedTxn& txn : session.txns) {
      plan.ops(txn, ops);
      write_u64(ops.size(), out);
      for (const PlannedOp& op : ops) {
        write_bool(op.kind != OpKind::kRead, out);
        write_i64(op.key_number, out);
        write_i64(op.value_number, out);
        write_bool(true, out);
      }
      write_bool(is_success(txn), out);
    }
  }
  return {};
}

Status write_dbcop_json(const Plan& plan, OutputFile& out) {
  const Totals totals = totals_of(plan);
  out << "{\"params\":{\"id\":0,\"n_node\":" << totals.sessions << ",\"n_variable\":" << totals.keys
      << ",\"n_transaction\":" << totals.txns << ",\"n_event\":" << totals.ops << "},\"info\":\""
      << kInfo << "\",\"start\":\"" << kNoTime << "\",\"end\":\"" << kNoTime << "\",\"data\":[";
  std::vector<PlannedOp> ops;
  std::string_view between_sessions = "\n[";
  for (const PlannedSession& session : plan.sessions()) {
    std::string_view between_txns = between_sessions;
    for (const PlannedTxn& txn : session.txns) {
      out << between_txns;
      write_json_txn(plan, txn, ops, out);
      between_txns = ",\n";
    }
    out << ']';
    between_sessions = ",\n[";
  }
  out << "]}\n";
  return {};
}

Status write_dbcop_hist(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::string_view separator;
  for (const PlannedSession& session : plan.sessions()) {
    out << separator;
    separator = "---\n";
    for (const PlannedTxn& txn : session.txns) {
      plan.ops(txn, ops);
      for (std::size_t i = 0; i < ops.size(); ++i) {
        out << (i == 0 ? '[' : ' ');
        write_hist_event(plan, ops[i], out);
      }
      out << (is_success(txn) ? "]\n" : "]!\n");
    }
  }
  return {};
}

}  // namespace elapid
