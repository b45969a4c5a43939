// All keys of a stream. Turns a transaction's operations into reads and versions of keys (INT).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "engine/online/online_register.h"
#include "engine/online/placed_txn.h"

namespace elapid {

class OnlineKeys {
 public:
  virtual ~OnlineKeys() = default;

  /// Adds the operations of a transaction with a place in time. If its reads have no time, they are
  /// skipped.
  virtual void carry_out(const PlacedTxn& txn, const KeyContext& context) = 0;

  /// The current judgement of a read.
  [[nodiscard]] virtual ReadState state(Atom key, const ReadName& read,
                                        const KeyContext& context) = 0;

  /// The violation of a wrong read. `wants_origin`: also its origin, and whether clock skew
  /// explains it; without these the call is quick.
  [[nodiscard]] virtual ViolationFacts facts(Atom key, const ReadName& read, bool wants_origin,
                                             const KeyContext& context) = 0;

  /// Whether two writers of a key read the same version of it.
  [[nodiscard]] virtual bool replaced_one_version(Atom key, const OnlineVersion& a,
                                                  const OnlineVersion& b,
                                                  const KeyContext& context) = 0;

  /// Judges all reads of a value again after the value turned out to be uncertain.
  virtual void rejudge(Atom key, Atom value, const KeyContext& context) = 0;

  /// Moves pages that end by `time` to the store. `cuts`: first cuts the pages that begin before.
  virtual void evict_before(Timestamp time, bool cuts, Paging& paging) = 0;

  /// Drops the data about reads up to `time` that is not in pages.
  virtual void forget_reads(Timestamp time) = 0;

  /// Writes all pages to the store.
  virtual void flush(Paging& paging) = 0;

  /// Moves all keys to the store, as far as possible. A key that is touched again comes back.
  virtual void drop(Paging& paging) = 0;

  /// Bytes used, without the pages.
  [[nodiscard]] virtual std::size_t memory() const = 0;

  /// The state that the store's pages do not hold.
  [[nodiscard]] virtual std::string encode() const = 0;

  /// Restores the state of encode(). Requires a new object.
  virtual void restore(std::string_view bytes, Paging& paging) = 0;
};

[[nodiscard]] std::unique_ptr<OnlineKeys> make_online_keys(Workload workload);

}  // namespace elapid
