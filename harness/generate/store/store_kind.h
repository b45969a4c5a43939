// The simulated databases, in a table: one a consistency level, and two that fail as databases do.
//
// All are one store of versions (store.h) with different policies: what a transaction may see, and
// when it may not commit. Each uses all the freedom of its level: if the level says nothing of
// sessions, a client may not see its own last write; if snapshots may be old, they
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// Which commits of others the reads of a transaction see.
enum class View : std::uint8_t {
  kDirty,           ///< the latest write of each key, committed or not
  kEachRead,        ///< each read sees its own moment in the past
  kEachReadAtomic,  ///< the same, but at least all of each transaction read from
  kAnyCommits,      ///< one set of commits, old or new, in no order
  kCausal,          ///< one set of commits, with all commits they have read
  kPast,            ///< the state at one moment in the past
  kPastToRead,      ///< the same if it only reads; otherwise the latest state
  kReplica,         ///< as kPastToRead: a transaction that only reads asks a lagging replica
  kNow,             ///< the latest state when the transaction begins
};

/// Why a transaction may not commit, or must wait.
enum class Conflicts : std::uint8_t {
  kNone,
  kWaitForWriters,  ///< a key is locked from the first write to the end; deadlocks abort
  kUnseenWrites,    ///< another transaction's last write of a key that it writes is not seen
  kStaleReads,      ///< a key that it read or wrote has changed; unless it only reads
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
  bool sessions = false;    ///< a client sees all it has seen or done before
  bool loses_tail = false;  ///< now and then the last commits are lost
  /// Each transaction asks for one of these levels, and is treated as in that level's store. Empty:
  /// all are treated alike.
  std::span<const StoreKind* const> mixes = {};

  [[nodiscard]] constexpr bool shows_uncommitted() const { return view == View::kDirty; }
};

/// All stores, weaker ones first.
[[nodiscard]] std::span<const StoreKind> store_kinds();

/// The store with this name, or of the level with this name or alias.
[[nodiscard]] const StoreKind* find_store(std::string_view name);

}  // namespace elapid
