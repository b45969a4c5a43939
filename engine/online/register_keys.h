// The registers of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/online/online_keys.h"

namespace elapid {

class RegisterKeys final : public OnlineKeys {
 public:
  void carry_out(const PlacedTxn& txn, const KeyContext& context) override;
  ReadState state(Atom key, const ReadName& read, const KeyContext& context) override;
  ViolationFacts facts(Atom key, const ReadName& read, bool wants_origin,
                       const KeyContext& context) override;
  bool replaced_one_version(Atom key, const OnlineVersion& a, const OnlineVersion& b,
                            const KeyContext& context) override;
  void rejudge(Atom key, Atom value, const KeyContext& context) override;
  void evict_before(Timestamp time, bool cuts, Paging& paging) override;

  void forget_reads(Timestamp /*time*/) override {}

  void flush(Paging& paging) override;

  void drop(Paging& paging) override;

  [[nodiscard]] std::size_t memory() const override { return keys_.size() * kNode; }

  [[nodiscard]] std::string encode() const override { return {}; }

  void restore(std::string_view /*bytes*/, Paging& /*paging*/) override { is_stored_ = true; }

 private:
  /// A register, and the operations of the last transaction that touched it.
  struct Key {
    OnlineRegister versions;
    std::uint64_t toucher = 0;  ///< number of the last transaction that touched it
    Atom own = {};              ///< the value that this transaction last read or wrote
    std::size_t read = 0;       ///< its first read, in reads_, if it comes before its writes
    std::size_t write = 0;      ///< its last write, in writes_, if any
    bool has_written = false;
  };

  struct Read {
    Key* key = nullptr;
    Atom name = {};
    Atom value = {};
    std::uint32_t mop = 0;
  };

  struct Write {
    Key* key = nullptr;
    Atom value = {};
  };

  static constexpr std::size_t kNode = sizeof(Key) + 24;  // with its place

  Key& find(Atom name, Paging& paging);
  void prefetch(const PlacedTxn& txn);
  [[nodiscard]] bool reads_from(Atom key, const OnlineRead& read, const OnlineVersion& version,
                                const KeyContext& context);
  void read(Key& key, const OnlineOp& op, std::uint32_t mop, const KeyContext& context);
  void write(Key& key, Atom value, const PlacedTxn& txn, const KeyContext& context);
  void add_reads(const PlacedTxn& txn, const KeyContext& context);

  std::deque<Key> keys_;
  IntMap places_;            // of keys, by name
  bool is_stored_ = false;   // the store may have pages of unknown keys
  std::uint64_t count_ = 0;  // number of transactions
  // Of the current transaction.
  std::vector<Read> reads_;        // the first of each key
  std::vector<Read> other_names_;  // later ones, which show the initial state by its other name
  std::vector<Write> writes_;
  std::vector<const KeyPage*> pages_;  // the pages for these reads
};

}  // namespace elapid
