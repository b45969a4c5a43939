// From operation maps, whatever syntax they were written in, to a History.
#ifndef ELAPID_PARSERS_ELLE_JSON_OP_ASSEMBLER_H_
#define ELAPID_PARSERS_ELLE_JSON_OP_ASSEMBLER_H_

#include <cstdint>
#include <string>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/read.h"

namespace elapid {

/// Whether the operation is one of a client: its process is an integer, or absent while its value
/// is made of micro-operations.
[[nodiscard]] bool is_client(const OpMap& op);

/// Errors have byte offsets.
class OpAssembler {
 public:
  /// Borrows both, the source for progress only.
  OpAssembler(const ByteSource& source, const ReadOptions& options);

  [[nodiscard]] ValuePool& values() { return builder_.values(); }

  /// Notes something odd at a byte offset.
  void remark(Remark::Kind kind, std::uint64_t offset, std::string message);

  /// Adds the next operation, whose values are those of values(). Its mops get their keys.
  Status add(OpMap& op);

  /// Tells the caller how far the reading has come, once a mebibyte; `offset` is where it stands.
  /// Error: kUnreadable if the caller wants it to stop.
  Status report_progress(std::uint64_t offset);

  /// The history of all operations. Error: kMalformed if there were none.
  Result<History> finish(HistoryInfo info) &&;

 private:
  Status add_client(OpMap& op);
  Status skip(const OpMap& op);

  const ByteSource& source_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  bool is_empty_ = true;
  std::uint64_t next_report_ = 0;
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_ELLE_JSON_OP_ASSEMBLER_H_
