// All keys of a stream: what a transaction did becomes reads and versions of each key (INT).
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

  /// Takes the operations of a transaction that has a place. Reads of one whose reads have none are
  /// passed over.
  virtual void carry_out(const PlacedTxn& txn, const KeyContext& context) = 0;

  /// How a read stands by now.
  [[nodiscard]] virtual ReadState state(Atom key, const ReadName& read,
                                        const KeyContext& context) = 0;

  /// What is wrong with it, if something is. With the origin and whether clocks explain it, or
  /// quickly without.
  [[nodiscard]] virtual ViolationFacts facts(Atom key, const ReadName& read, bool wants_origin,
                                             const KeyContext& context) = 0;

  /// Whether two writers of a key had read the same of it.
  [[nodiscard]] virtual bool replaced_one_version(Atom key, const OnlineVersion& a,
                                                  const OnlineVersion& b,
                                                  const KeyContext& context) = 0;

  /// Judges reads again that show what has turned out to be uncertain.
  virtual void rejudge(Atom key, Atom value, const KeyContext& context) = 0;

  /// Moves pages that end by a time to the store; `cuts`: after cutting those that do not.
  virtual void evict_before(Timestamp time, bool cuts, Paging& paging) = 0;

  /// Drops what is kept of reads up to a time beside the pages.
  virtual void forget_reads(Timestamp time) = 0;

  /// Makes the store hold all pages.
  virtual void flush(Paging& paging) = 0;

  /// Moves all keys to the store, as far as they can be; those that are touched again come back.
  virtual void drop(Paging& paging) = 0;

  /// Bytes beside the pages.
  [[nodiscard]] virtual std::size_t memory() const = 0;

  /// What the store's pages do not hold.
  [[nodiscard]] virtual std::string encode() const = 0;

  /// Makes everything as it was when encode() said that. Requires that nothing was carried out.
  virtual void restore(std::string_view bytes, Paging& paging) = 0;
};

[[nodiscard]] std::unique_ptr<OnlineKeys> make_online_keys(Workload workload);

}  // namespace elapid
