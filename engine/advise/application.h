// What an application does to a database: its transactions, each a sequence of reads and writes.
//
//   program WriteCheck(c):  R savings(c), U checking(c)
//
// An item is the smallest thing that is read and written: a key, or an attribute of a key. An
// operation is atomic, and reads and writes any number of items: R reads, W writes, U does both.
// The model is that of Vandevoort, Ketsman, Neven, "Allocating Isolation Levels to Transactions in
// a Multiversion Setting" (PODS 2023): a transaction writes an item at most once and does nothing
// with it afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace elapid::advise {

/// What a transaction may be allocated, weakest first.
enum class Level : std::uint8_t {
  kReadCommitted,  ///< each read sees what was committed last; no write over an uncommitted one
  kSnapshot,       ///< reads see what was committed at the first operation; first committer wins
  kSerializable,   ///< the same, and no dangerous structure of such transactions (SSI)
};

inline constexpr std::size_t kLevelCount = 3;

using ItemId = std::uint32_t;

/// Atomic: all reads, then all writes. Items are ascending.
struct Operation {
  std::uint32_t number =
      0;  ///< in its program, or among the operations of the history's transaction
  std::vector<ItemId> reads = {};
  std::vector<ItemId> writes = {};
};

struct Transaction {
  std::uint32_t program = 0;  ///< in Application::programs
  std::string name = {};      ///< `WriteCheck(c=1)`
  std::vector<Operation> operations = {};
};

/// All that may run. Transactions of one program have one level.
struct Application {
  std::vector<std::string> programs = {};  ///< their names
  std::vector<std::string> items = {};     ///< names of the items: keys in EDN
  std::vector<Transaction> transactions = {};
  /// Each transaction runs once, and is a program of its own. Otherwise each runs any number of
  /// times, and the first one of a program is like all others but for the names of its items.
  bool is_once = true;

  /// Those that stand for all when one is looked at alone: the first of each program.
  [[nodiscard]] std::vector<std::uint32_t> representatives() const;
};

}  // namespace elapid::advise
