// What the keys hold in a state of the search, and which transactions still want to read what.
#pragma once

#include <vector>

#include "engine/search/demands.h"
#include "engine/search/state_memo.h"

namespace elapid::search {

/// The keys of a history. All that changes can be taken back in reverse order. 20 bytes a version
/// and 32 a key. Refers to the demands.
class KeyStore {
 public:
  /// As the recorded initial transaction leaves the keys behind, if there is one.
  explicit KeyStore(const Demands& demands);

  /// A transaction that may come.
  void expect(const Access& access, bool is_optional);

  /// Whether the key holds what the transaction wants.
  [[nodiscard]] bool serves(const Access& access) const {
    return !access.reads() || demands_.accepts(access.want, current_[access.key.index()]);
  }

  [[nodiscard]] bool holds(KeyId key, Index version) const {
    return current_[key.index()] == version;
  }

  void read(const Access& access, bool is_optional) { add_wish(access, is_optional, ~Index{0}); }

  void take_back_read(const Access& access, bool is_optional) { add_wish(access, is_optional, 1); }

  /// What the key held before.
  Index write(const Access& access);
  void take_back_write(const Access& access, Index before);

  /// Whether the write would leave a committed transaction with nothing to read: it ends a version
  /// that the transaction wants, or the only way of a list to it, and no transaction left can bring
  /// it back.
  [[nodiscard]] bool would_lose(const Access& access) const;

  /// No transaction wants to read the key any more: what it holds does not matter.
  [[nodiscard]] bool is_unwanted(KeyId key) const {
    return sure_of_key_[key.index()] == 0 && maybe_of_key_[key.index()] == 0;
  }

  /// No transaction wants to read what the key holds.
  [[nodiscard]] bool is_quiet(KeyId key) const;

  /// No transaction wants to read what this one writes.
  [[nodiscard]] bool is_write_unwanted(const Access& access) const {
    return demands_.are_lists() ? is_unwanted(access.key)
                                : sure_[access.write] == 0 && maybe_[access.write] == 0;
  }

  /// For a register: whether this read must come before the next write, because no transaction can
  /// bring back what the key holds.
  [[nodiscard]] bool must_come_first(const Access& access) const {
    return access.reads() && serves(access) && sources_[access.want] == 0;
  }

  /// How many such reads of committed transactions there are.
  [[nodiscard]] Index reads_to_come_first(KeyId key) const { return count_first(sure_, key); }

  /// How many of these write the key, too.
  [[nodiscard]] Index updates_to_come_first(KeyId key) const { return count_first(updates_, key); }

  /// Reads that must be served show that this transaction writes the key next: of a list, they want
  /// an element that only it can append.
  [[nodiscard]] bool is_next_by_list(const Access& access) const;

  /// The same for a committed transaction that itself wants what the key holds before it writes it,
  /// if no other transaction can bring that back.
  [[nodiscard]] bool is_next_by_read(const Access& access) const {
    const bool returns_own = access.want == access.write;
    return access.reads() && serves(access) &&
           (demands_.are_lists() || sources_[access.want] == (returns_own ? 1U : 0U));
  }

  /// Whether a transaction that will write the key has started and keeps others from it.
  [[nodiscard]] bool is_held(KeyId key) const { return is_held_[key.index()]; }

  void hold(KeyId key, bool is_held) { is_held_[key.index()] = is_held; }

  /// Of what the keys hold, as far as a read may still see it.
  [[nodiscard]] StateHash hash() const { return hash_; }

 private:
  void add_wish(const Access& access, bool is_optional, Index difference);
  void rehash(KeyId key);
  [[nodiscard]] Index count_first(const std::vector<Index>& counts, KeyId key) const;
  [[nodiscard]] Index after(const Access& access) const;

  const Demands& demands_;
  // By version: who wants it, of those committed and of the others, and who may yet write it; of
  // lists the latter of versions that stand for a first element (Access::write).
  std::vector<Index> sure_;
  std::vector<Index> maybe_;
  std::vector<Index> updates_;  // of sure_, those that write the key, too
  std::vector<Index> sources_;
  // By key.
  std::vector<Index> current_;  // kNone: of a list, a version that no read wants, nor a later one
  std::vector<Index> sure_of_key_;
  std::vector<Index> maybe_of_key_;
  std::vector<StateHash> hash_of_key_;
  std::vector<bool> is_held_;
  StateHash hash_;
};

}  // namespace elapid::search
