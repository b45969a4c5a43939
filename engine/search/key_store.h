// The keys' versions in a state of the search, and the transactions that have yet to read them.
#pragma once

#include <vector>

#include "engine/search/demands.h"
#include "engine/search/state_memo.h"

namespace elapid::search {

/// The keys of a history. Changes can be undone in reverse order. 20 bytes a version and 32 a key.
/// Keeps a reference to the demands.
class KeyStore {
 public:
  /// Begins after the recorded initial transaction, if there is one.
  explicit KeyStore(const Demands& demands);

  /// Adds a transaction that is yet to run.
  void expect(const Access& access, bool is_optional);

  /// Whether the key's version is the one that the transaction wants.
  [[nodiscard]] bool serves(const Access& access) const {
    return !access.reads() || demands_.accepts(access.want, current_[access.key.index()]);
  }

  [[nodiscard]] bool holds(KeyId key, Index version) const {
    return current_[key.index()] == version;
  }

  void read(const Access& access, bool is_optional) { add_wish(access, is_optional, ~Index{0}); }

  void take_back_read(const Access& access, bool is_optional) { add_wish(access, is_optional, 1); }

  /// Writes. Returns the key's version before the write.
  Index write(const Access& access);
  void take_back_write(const Access& access, Index before);

  /// Whether the write would leave a committed transaction with nothing to read: it ends a version
  /// that the transaction wants, or the list's only way to that version, and no remaining
  /// transaction can restore it.
  [[nodiscard]] bool would_lose(const Access& access) const;

  /// Whether no remaining transaction reads the key, so that its version does not matter.
  [[nodiscard]] bool is_unwanted(KeyId key) const {
    return sure_of_key_[key.index()] == 0 && maybe_of_key_[key.index()] == 0;
  }

  /// Whether no remaining transaction wants the key's version.
  [[nodiscard]] bool is_quiet(KeyId key) const;

  /// Whether no remaining transaction wants the version that this one writes.
  [[nodiscard]] bool is_write_unwanted(const Access& access) const {
    return demands_.are_lists() ? is_unwanted(access.key)
                                : sure_[access.write] == 0 && maybe_[access.write] == 0;
  }

  /// For a register: whether this read must come before the next write, because no transaction can
  /// restore the key's version.
  [[nodiscard]] bool must_come_first(const Access& access) const {
    return access.reads() && serves(access) && sources_[access.want] == 0;
  }

  /// The number of reads of committed transactions that must come before the next write.
  [[nodiscard]] Index reads_to_come_first(KeyId key) const { return count_first(sure_, key); }

  /// The number of these reads with a transaction that also writes the key.
  [[nodiscard]] Index updates_to_come_first(KeyId key) const { return count_first(updates_, key); }

  /// Whether reads of committed transactions show that this transaction must write the key next:
  /// they want an element of a list that only it can append.
  [[nodiscard]] bool is_next_by_list(const Access& access) const;

  /// The same for a committed transaction that must read the key's version before its own write, if
  /// no other transaction can restore that version.
  [[nodiscard]] bool is_next_by_read(const Access& access) const {
    const bool returns_own = access.want == access.write;
    return access.reads() && serves(access) &&
           (demands_.are_lists() || sources_[access.want] == (returns_own ? 1U : 0U));
  }

  /// Whether a transaction that will write the key has started and excludes other writers.
  [[nodiscard]] bool is_held(KeyId key) const { return is_held_[key.index()]; }

  void hold(KeyId key, bool is_held) { is_held_[key.index()] = is_held; }

  /// A hash of the keys' versions, as far as later reads can distinguish them.
  [[nodiscard]] StateHash hash() const { return hash_; }

 private:
  void add_wish(const Access& access, bool is_optional, Index difference);
  void rehash(KeyId key);
  [[nodiscard]] Index count_first(const std::vector<Index>& counts, KeyId key) const;
  [[nodiscard]] Index after(const Access& access) const;

  const Demands& demands_;
  // By version: committed transactions that want it, others that want it, and writers that are yet
  // to run. For lists the writers are those of the first element's version (Access::write).
  std::vector<Index> sure_;
  std::vector<Index> maybe_;
  std::vector<Index> updates_;  // of sure_: those that also write the key
  std::vector<Index> sources_;
  // By key.
  std::vector<Index> current_;  // kNone: of a list: no read wants this version or a later one
  std::vector<Index> sure_of_key_;
  std::vector<Index> maybe_of_key_;
  std::vector<StateHash> hash_of_key_;
  std::vector<bool> is_held_;
  StateHash hash_;
};

}  // namespace elapid::search
