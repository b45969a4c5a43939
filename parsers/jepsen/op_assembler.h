// From operation maps, whatever syntax they were written in, to a History.
#ifndef ELAPID_PARSERS_JEPSEN_OP_ASSEMBLER_H_
#define ELAPID_PARSERS_JEPSEN_OP_ASSEMBLER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/options.h"

namespace elapid {

/// Whether the operation is one of a client: its process is an integer, or absent while its value
/// is made of micro-operations.
[[nodiscard]] bool is_client(const OpMap& op);

/// Errors have byte offsets.
class OpAssembler {
 public:
  explicit OpAssembler(const ReadOptions& options);

  [[nodiscard]] ValuePool& values() { return builder_.values(); }

  /// Notes something odd at a byte offset.
  void remark(Remark::Kind kind, std::uint64_t offset, std::string message);

  /// Adds the next operation, whose values are those of values(). Its mops get their keys.
  Status add(OpMap& op);

  /// The history of all operations. Error: kMalformed if there were none.
  Result<History> finish(HistoryInfo info) &&;

 private:
  Status add_client(OpMap& op);
  Status skip(const OpMap& op);

  HistoryBuilder builder_;
  bool is_empty_ = true;
  std::optional<ValueId> f_;  // of all clients' operations so far
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_OP_ASSEMBLER_H_
