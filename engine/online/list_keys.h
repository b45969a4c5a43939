// The lists of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/online/online_keys.h"
#include "engine/online/online_list.h"

namespace elapid {

class ListKeys final : public OnlineKeys {
 public:
  void carry_out(const PlacedTxn& txn, const KeyContext& context) override;
  ReadState state(Atom key, const ReadName& read, const KeyContext& context) override;
  ViolationFacts facts(Atom key, const ReadName& read, bool wants_origin,
                       const KeyContext& context) override;
  bool replaced_one_version(Atom key, const OnlineVersion& a, const OnlineVersion& b,
                            const KeyContext& context) override;
  void rejudge(Atom key, Atom value, const KeyContext& context) override;
  void evict_before(Timestamp time, bool cuts, Paging& paging) override;
  void forget_reads(Timestamp time) override;
  void flush(Paging& paging) override;

  void drop(Paging& /*paging*/) override {}

  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] std::string encode() const override;
  void restore(std::string_view bytes, Paging& paging) override;

 private:
  /// The operations of the current transaction on a list so far.
  struct Own {
    std::span<const Atom> last_read = {};
    bool has_read = false;
    std::vector<Atom> since = {};     ///< appended since that read
    std::vector<Atom> appended = {};  ///< all that it appended
  };

  OnlineList& find(Atom name, Paging& paging);
  [[nodiscard]] bool reads_from(Atom key, const ReadName& read, const OnlineList& list,
                                const KeyContext& context);
  void read(Own& own, const PlacedTxn& txn, std::uint32_t mop, const KeyContext& context);

  std::deque<std::pair<Atom, OnlineList>> lists_;      // in the order of their first use
  IntMap places_;                                      // of lists_, by name
  bool is_stored_ = false;                             // the store may have pages of unknown lists
  std::vector<std::pair<Atom, std::uint32_t>> reads_;  // of the current transaction, of others
  std::map<Atom, Own> owns_;                           // of the current transaction
};

}  // namespace elapid
