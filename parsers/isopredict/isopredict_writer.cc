#include "parsers/isopredict/isopredict_format.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

constexpr std::string_view kInitialTxnText = "(0, 0)";

class IsopredictWriter {
 public:
  IsopredictWriter(const Plan& plan, OutputFile& out)
      : plan_(plan), out_(out), places_(plan.history().txn_count(), kNotWritten) {
    for (std::uint32_t place = 0; place < plan.txns().size(); ++place) {
      places_[plan.txns()[place].txn.index()] = place;
    }
  }

  Status name_keys() {
    const History& history = plan_.history();
    std::unordered_set<std::string, SeededHash> names;
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      std::string name = history.key_text(key);
      if (name.starts_with('"') && name.find('\\') == std::string::npos) {
        name = name.substr(1, name.size() - 2);
      }
      if (name.find_first_of("]\n\r") != std::string::npos || !names.insert(name).second) {
        return usage_error("key " + history.key_text(key) +
                           " cannot be written: its name holds `]`, or is that of another key");
      }
      keys_.push_back(std::move(name));
    }
    return {};
  }

  Status write(const PlannedTxn& txn) {
    plan_.ops(txn, ops_);
    own_.clear();
    const std::string id = id_of(txn);
    for (const PlannedOp& op : ops_) {
      if (op.kind == OpKind::kWrite) {
        own_[op.key] = op.value;
        out_ << "WRITE KEY[" << keys_[op.key.index()] << "] Txn" << id << '\n';
      } else {
        ELAPID_RETURN_IF_ERROR(write_read(op, id));
      }
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kNotWritten = 0xffffffffU;

  static std::string id_of(const PlannedTxn& txn) {
    return '(' + std::to_string(txn.session) + ", " + std::to_string(txn.place) + ')';
  }

  [[nodiscard]] std::string quoted(const PlannedOp& read) const {
    return "a read of " + plan_.history().text(read.value) + " from key " +
           plan_.history().key_text(read.key);
  }

  Status write_read(const PlannedOp& read, const std::string& id) {
    if (const auto own = own_.find(read.key); own != own_.end()) {
      if (read.is_initial || read.value != own->second) {
        return usage_error(quoted(read) +
                           ", behind a write of something else by the same transaction");
      }
      return {};
    }
    ELAPID_ASSIGN_OR_RETURN(const std::string writer, writer_of(read));
    out_ << "READ KEY[" << keys_[read.key.index()] << "] Txn" << id << " From" << writer << '\n';
    return {};
  }

  [[nodiscard]] Result<std::string> writer_of(const PlannedOp& read) const {
    if (read.is_initial) {
      return std::string(kInitialTxnText);
    }
    for (const WrittenValues::Write& write : plan_.written().find(read.key, read.value)) {
      const std::uint32_t place = places_[write.txn.index()];
      if (place == kNotWritten) {
        continue;
      }
      if (!is_last(write)) {
        return usage_error(quoted(read) + " that its writer overwrote: reads name transactions");
      }
      return id_of(plan_.txns()[place]);
    }
    return usage_error(quoted(read) + ", whose writer is not written");
  }

  /// Whether this is the transaction's last write of the key.
  [[nodiscard]] bool is_last(const WrittenValues::Write& write) const {
    const History& history = plan_.history();
    const std::span<const Op> ops = history.ops(write.txn);
    for (std::size_t i = write.op - history.first_op(write.txn) + 1; i < ops.size(); ++i) {
      if (ops[i].is_write() && ops[i].key() == write.key) {
        return false;
      }
    }
    return true;
  }

  const Plan& plan_;
  OutputFile& out_;
  std::vector<std::uint32_t> places_;  // in Plan::txns(), by transaction
  std::vector<std::string> keys_;
  std::unordered_map<KeyId, ValueId> own_;  // the transaction's writes so far
  std::vector<PlannedOp> ops_;
};

}  // namespace

Status write_isopredict(const Plan& plan, OutputFile& out) {
  IsopredictWriter writer(plan, out);
  ELAPID_RETURN_IF_ERROR(writer.name_keys());
  for (const PlannedTxn& txn : plan.txns()) {
    ELAPID_RETURN_IF_ERROR(writer.write(txn));
  }
  return {};
}

}  // namespace elapid
