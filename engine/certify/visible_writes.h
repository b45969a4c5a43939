// The axioms of the saturable levels (models.h), on a commit order in which it is known whose write
// each read saw: no writer of the key that is visible to the read comes after that one.
#ifndef ELAPID_ENGINE_CERTIFY_VISIBLE_WRITES_H_
#define ELAPID_ENGINE_CERTIFY_VISIBLE_WRITES_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/certify/commit_places.h"
#include "engine/certify/evidence.h"
#include "engine/ir/history.h"
#include "engine/models.h"

namespace elapid::certify {

/// Whose write each external read saw, by reader, in the order of operations.
struct SeenWrites {
  struct Read {
    KeyId key;
    TxnId writer;  ///< none(): the initial state
  };

  std::vector<Read> reads = {};
  std::vector<std::uint32_t> begin = {};  ///< one more than transactions

  [[nodiscard]] std::span<const Read> of(TxnId reader) const {
    return std::span(reads).subspan(begin[reader.index()],
                                    begin[reader.index() + 1] - begin[reader.index()]);
  }
};

/// The last place in the order, plus one, of the writers of each key that became visible since it
/// was emptied. 8 bytes a key.
class LastVisible {
 public:
  explicit LastVisible(std::size_t key_count) : last_(key_count) {}

  void clear() { ++now_; }

  void add(KeyId key, std::uint32_t place) {
    Entry& entry = last_[key.index()];
    entry = {now_, entry.age == now_ ? std::max(entry.last, place + 1) : place + 1};
  }

  [[nodiscard]] std::uint32_t of(KeyId key) const {
    const Entry& entry = last_[key.index()];
    return entry.age == now_ ? entry.last : 0;
  }

 private:
  struct Entry {
    std::uint32_t age = 0;
    std::uint32_t last = 0;
  };

  std::vector<Entry> last_;
  std::uint32_t now_ = 1;
};

/// By what a reader itself read: read committed, and the part of read atomic that needs no session.
class VisibleByReads {
 public:
  VisibleByReads(const History& history, OrderLevel level, const CommitPlaces& places);

  [[nodiscard]] Flaw check(TxnId reader, std::span<const SeenWrites::Read> reads);

 private:
  void add_writes(TxnId writer);

  const History& history_;
  Visibility visibility_;
  const CommitPlaces& places_;
  LastVisible visible_;
};

/// By sessions, and by what others read.
[[nodiscard]] Flaw check_visible_writes(const History& history, OrderLevel level,
                                        const CommitPlaces& places, const SeenWrites& seen);

}  // namespace elapid::certify

#endif  // ELAPID_ENGINE_CERTIFY_VISIBLE_WRITES_H_
