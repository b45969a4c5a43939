// The store's data of one key: its versions, oldest first, as far back as a reader may look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/generate/store/seen_set.h"

namespace elapid {

struct StoreTxn;

/// A register's value, or a list's length.
struct StoredVersion {
  CommitId commit = 0;
  std::int64_t value = 0;
};

class StoredKey {
 public:
  /// The last version for which `sees` is true; null for the initial state.
  template <class Sees>
  [[nodiscard]] const StoredVersion* find(Sees sees) const {
    for (std::size_t i = versions_.size(); i-- > 0;) {
      if (sees(versions_[i].commit)) {
        return &versions_[i];
      }
    }
    return nullptr;
  }

  /// The last commit that wrote the key; 0 if there is none.
  [[nodiscard]] CommitId last_commit() const {
    return versions_.empty() ? 0 : versions_.back().commit;
  }

  void write(CommitId commit, std::int64_t value);
  void append(CommitId commit, std::int64_t element);

  /// Drops versions that no read of the state after `horizon`, or of a later state, needs.
  void prune(CommitId horizon);

  [[nodiscard]] bool is_long() const { return versions_.size() >= prune_at_; }

  /// Undoes all commits after this one.
  void cut(CommitId last);

  /// Reuses the object for another key.
  void become(std::int64_t key);

  [[nodiscard]] std::int64_t key() const { return key_; }

  [[nodiscard]] std::size_t version_count() const { return versions_.size(); }

  /// For a list: the elements of all versions.
  [[nodiscard]] const std::vector<std::int64_t>& elements() const { return elements_; }

  StoreTxn* locked_by = nullptr;  ///< the transaction that writes it

 private:
  static constexpr std::size_t kFewest = 16;

  StoredVersion& version_of(CommitId commit);

  std::int64_t key_ = -1;
  bool is_list_ = false;
  std::size_t prune_at_ = kFewest;
  std::vector<StoredVersion> versions_ = {};
  std::vector<std::int64_t> elements_ = {};
};

}  // namespace elapid
