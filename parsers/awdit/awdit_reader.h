// One pass over AWDIT's test files: from operations and rulers to transactions. All threads parse
// lines; the results are taken in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/bytes/pieces.h"
#include "parsers/bytes/sources.h"
#include "parsers/bytes/window.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// An operation, or a character of a ruler.
struct AwditItem {
  char ruler = 0;  ///< `-` ends a transaction, `=` a session; 0: an operation
  bool is_write = false;
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  std::uint64_t offset = 0;  ///< of its first byte in the input
};

/// See read_trace().
class AwditReader {
 public:
  /// Borrows both arguments. Tests ask for small pieces.
  AwditReader(ByteSource& source, const ReadOptions& options,
              std::size_t piece_bytes = InputPiece::kBytes);

  Status read();

  Result<History> finish(Sources& sources) &&;

 private:
  Status read_all();
  Status read_lines(Window& window);
  Status take(const AwditItem& item);
  Status close();

  ByteSource& source_;
  const ReadOptions& options_;
  std::size_t piece_bytes_;
  Window window_;            // if the input is not cut
  std::uint64_t bytes_ = 0;  // passed
  ReadProgress progress_;
  HistoryBuilder builder_;
  std::int64_t session_ = 0;
  bool session_is_empty_ = true;
  std::size_t kept_ = 0;  // transactions
  std::vector<MopInput> mops_;
  SourcePosition position_;  // of the first of them
};

}  // namespace elapid
