// The simulated databases, in a table: one a consistency level, and two that fail as databases do.
//
// All are one store of versions (store.h) with another policy: what a transaction may see, and when
// it may not commit. Each uses all the freedom that its level leaves: where the level says nothing
// of sessions, a client need not see what it has just written; where snapshots may be old, they
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// What the reads of a transaction see of what others have committed.
enum class View : std::uint8_t {
  kDirty,           ///< the latest write of each key, committed or not
  kEachRead,        ///< each read its own moment in the past
  kEachReadAtomic,  ///< the same, but not behind what was seen of a transaction read from
  kAnyCommits,      ///< one set of commits, old or new, in no order
  kCausal,          ///< one set of commits, with all that those have read
  kPast,            ///< the state at one moment in the past
  kPastToRead,      ///< the same for what only reads; else the latest state
  kReplica,         ///< likewise, the moment being that of a replica that lags behind
  kNow,             ///< the latest state when the transaction begins
};

/// What keeps a transaction from committing, or makes it wait.
enum class Conflicts : std::uint8_t {
  kNone,
  kWaitForWriters,  ///< a key is locked from the first write to the end; deadlocks abort
  kUnseenWrites,    ///< another transaction's last write of a key that it writes is not seen
  kStaleReads,      ///< what it read and wrote has changed; not of what only reads
};

struct StoreKind {
  std::string_view name;
  std::string_view about;
  // The strongest level that every history of it satisfies; nothing if there is none.
  std::optional<Model> keeps_of_lists = {};
  std::optional<Model> keeps_of_registers = {};  ///< which tell less
  std::optional<Model> keeps_of_rows = {};       ///< nothing: it has no rows
  View view = View::kNow;
  Conflicts conflicts = Conflicts::kNone;
  bool sessions = false;    ///< a client sees what it has seen or done before
  bool loses_tail = false;  ///< now and then the last commits are lost
  /// Each transaction asks for one of these levels, and is treated as in the store of that level;
  /// empty: all are treated alike.
  std::span<const StoreKind* const> mixes = {};

  [[nodiscard]] constexpr bool shows_uncommitted() const { return view == View::kDirty; }
};

/// Weaker ones first.
[[nodiscard]] std::span<const StoreKind> store_kinds();

/// The one of this name, or of the level with this name or alias.
[[nodiscard]] const StoreKind* find_store(std::string_view name);

}  // namespace elapid
