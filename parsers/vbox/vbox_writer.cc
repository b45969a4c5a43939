#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"
#include "parsers/vbox/row_records.h"
#include "parsers/vbox/vbox_format.h"

namespace elapid {

using vbox::Record;
using vbox::RowRecords;
using vbox::Transaction;

namespace {

/// Appends little-endian numbers.
class LogText {
 public:
  void u32(std::uint32_t number) { add(number, 4); }

  void u64(std::uint64_t number) { add(number, 8); }

  void head(char type, std::uint32_t id, const Transaction& txn) {
    bytes_ += type;
    u32(id);
    u64(txn.start);
    u64(txn.end);
  }

  [[nodiscard]] std::string_view view() const { return bytes_; }

  void clear() { bytes_.clear(); }

 private:
  void add(std::uint64_t number, int width) {
    for (int i = 0; i < width; ++i) {
      bytes_ += static_cast<char>(number & 0xffU);
      number >>= 8U;
    }
  }

  std::string bytes_;
};

class VboxLogWriter {
 public:
  /// `last` is the greatest statement of the records. BEGIN and COMMIT get the following numbers.
  explicit VboxLogWriter(std::uint32_t last) : statement_(last) {}

  [[nodiscard]] std::string_view write(const Transaction& txn) {
    log_.clear();
    log_.head('T', txn.tid, txn);
    log_.head('S', ++statement_, txn);
    for (std::size_t i = 0; i < txn.records.size(); ++i) {
      write(txn, i);
    }
    if (txn.status != TxnStatus::kIndeterminate) {
      log_.head(txn.status == TxnStatus::kCommitted ? 'C' : 'A', ++statement_, txn);
    }
    return log_.view();
  }

 private:
  void write(const Transaction& txn, std::size_t place) {
    const Record& record = txn.records[place];
    log_.head(record.type, record.oid, txn);
    if (record.type == 'R') {
      log_.u64(record.key);
      log_.u32(record.version.tid);
      log_.u32(record.version.oid);
    } else if (record.type == 'W') {
      log_.u64(record.key);
      log_.u64(record.column);
      log_.u32(record.value);
    } else {
      write_predicate(txn, place);
    }
  }

  /// Writes a predicate with the versions that the statement read. An update's versions are those
  /// that it wrote.
  void write_predicate(const Transaction& txn, std::size_t place) {
    const Record& record = txn.records[place];
    log_.u64(record.column);
    log_.u32(record.low);
    log_.u32(record.high);
    const auto matched = txn.matched(record);
    log_.u32(static_cast<std::uint32_t>(matched.size()));
    for (const std::uint64_t key : matched) {
      log_.u64(key);
    }
    // The reads stand directly before their predicate, in the order of its keys.
    const bool has_reads = place >= matched.size() && !matched.empty() &&
                           txn.records[place - 1].type == 'R' &&
                           txn.records[place - 1].oid == record.oid;
    const Record* const reads = has_reads ? &txn.records[place - matched.size()] : nullptr;
    for (std::size_t i = 0; i < matched.size(); ++i) {
      log_.u32(reads != nullptr ? reads[i].version.tid : txn.tid);
    }
    for (std::size_t i = 0; i < matched.size(); ++i) {
      log_.u32(reads != nullptr ? reads[i].version.oid : record.oid);
    }
  }

  LogText log_;
  std::uint32_t statement_;
};

std::uint32_t last_statement(const RowRecords& records) {
  std::uint32_t last = 0;
  for (const Transaction& txn : records.transactions) {
    for (const Record& record : txn.records) {
      last = std::max(last, record.oid);
    }
  }
  return last;
}

}  // namespace

Status plan_vbox_rows(const Plan& plan, std::vector<Loss>& losses) {
  ELAPID_ASSIGN_OR_RETURN(RowRecords records, vbox::row_records(plan));
  losses.insert(losses.end(), records.losses.begin(), records.losses.end());
  return {};
}

Status write_vbox(const Plan& plan, OutputDirectory& out) {
  ELAPID_ASSIGN_OR_RETURN(const RowRecords records, vbox::row_records(plan));
  VboxLogWriter writer(last_statement(records));
  for (const PlannedSession& session : plan.sessions()) {
    ELAPID_ASSIGN_OR_RETURN(OutputFile log, out.file(std::to_string(session.name) + ".log"));
    for (const PlannedTxn& txn : session.txns) {
      const auto place = static_cast<std::size_t>(&txn - plan.txns().data());
      log << writer.write(records.transactions[place]);
    }
    ELAPID_RETURN_IF_ERROR(log.commit());
  }
  return {};
}

}  // namespace elapid
