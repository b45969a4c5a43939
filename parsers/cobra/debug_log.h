// What a .debug file beside a log tells of its session's transactions: also of those that did not
// commit, which the log leaves out.
//
//   [DEBUG] Txn[100000004] start
//   [DEBUG] Txn[100000004] try to commit
//   [DEBUG] Txn[100000004] successfully commit    (or: abort)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid::cobra {

enum class Fate : std::uint8_t { kStarted, kTried, kCommitted, kAborted };

class DebugLog {
 public:
  struct Txn {
    std::uint64_t id = 0;
    std::uint64_t offset = 0;  ///< of its first line
    Fate fate = Fate::kStarted;
    bool is_logged = false;  ///< for the reader of the log to set
  };

  /// Reads the source to its end. Lines of other kinds are noise. Error: the source's.
  Status read(ByteSource& source, const ReadOptions& options);

  /// Transactions in the order of their starts.
  [[nodiscard]] std::vector<Txn>& txns() { return txns_; }

  /// The place of a transaction among txns().
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t id) const;

  /// Bytes read.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void read_line(std::string_view line, std::uint64_t offset);

  std::vector<Txn> txns_;
  IntMap places_;
  std::uint64_t bytes_ = 0;
};

}  // namespace elapid::cobra
