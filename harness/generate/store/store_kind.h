// The simulated databases, in a table: one for each consistency level, and two that fail.
//
// All are one store of versions (store.h) with different policies: what a transaction may
// see, and when it may not commit. Each uses all the freedom of its level: if the level has
// no session order, a client may miss its own last write; if snapshots may be old, they are
// old.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// The commits of others that the reads of a transaction see.
enum class View : std::uint8_t {
  kDirty,           ///< the latest write of each key, committed or not
  kEachRead,        ///< each read sees another moment in the past
  kEachReadAtomic,  ///< the same, but with all writes of each transaction read from
  kAnyCommits,      ///< one set of commits, old or new, in no order
  kCausal,          ///< one set of commits, with all commits they have read
  kPast,            ///< the state at one moment in the past
  kPastToRead,      ///< the same if the transaction only reads; else the latest state
  kReplica,         ///< as kPastToRead: a transaction that only reads asks a lagging replica
  kNow,             ///< the latest state at the transaction's begin
};

/// When a transaction may not commit, or must wait.
enum class Conflicts : std::uint8_t {
  kNone,
  kWaitForWriters,  ///< a key is locked from the first write to the end; deadlocks abort
  kUnseenWrites,    ///< aborts if it writes a key and has not seen the last write of the key
  kStaleReads,      ///< aborts if a key that it read or wrote has changed, unless it only reads
};

struct StoreKind {
  std::string_view name;
  std::string_view about;
  // The strongest level that all its histories satisfy; nothing if there is none.
  std::optional<Model> keeps_of_lists = {};
  std::optional<Model> keeps_of_registers = {};  ///< registers show less
  std::optional<Model> keeps_of_rows = {};       ///< nothing: it has no rows
  View view = View::kNow;
  Conflicts conflicts = Conflicts::kNone;
  bool sessions = false;    ///< a client sees all its earlier reads and writes
  bool loses_tail = false;  ///< now and then the last commits are lost
  /// The levels that transactions may ask for; each runs as in its level's store. Empty: all
  /// transactions run alike.
  std::span<const StoreKind* const> mixes = {};

  [[nodiscard]] constexpr bool shows_uncommitted() const { return view == View::kDirty; }
};

/// All stores, from weak to strong.
[[nodiscard]] std::span<const StoreKind> store_kinds();

/// The store of this name, or the store of the level with this name or alias.
[[nodiscard]] const StoreKind* find_store(std::string_view name);

}  // namespace elapid
