// Version orders of lists. Every append shows in all later reads, so the longest list read of a key
// is the order of its versions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/infer/write_index.h"
#include "engine/ir/history.h"
#include "engine/workloads/list_append/external_lists.h"

namespace elapid {

// The different lists that reads of a key show, if the lists may contradict one another.

/// A list of a key with the first operation that read it.
struct SeenList {
  ListId id;
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop = 0;
};

/// The distinct non-empty lists that `included` transactions read, shortest first, for keys with a
/// read that was not a prefix of the longest list kept. The lists of all other keys are prefixes of
/// one another. O(reads + elements of these keys' lists).
[[nodiscard]] std::map<KeyId, std::vector<SeenList>> distinct_lists(
    const ExternalLists& external, const std::vector<bool>& included);

/// Believed transactions, version orders, and the writer of each version.
///
/// An indeterminate transaction is believed only if a believed one read an element of it, because
/// nothing follows from transactions that may have been rolled back.
class ListVersions {
 public:
  static constexpr std::uint32_t kInitial = 0xfffffffeU;  ///< the version before the first append
  static constexpr std::uint32_t kNowhere = WriteEntry::kNowhere;

  /// O(operations + elements of the longest lists).
  explicit ListVersions(const History& history);

  /// The reads of others' elements.
  [[nodiscard]] const ExternalLists& lists() const { return lists_; }

  [[nodiscard]] const WriteIndex& writes() const { return writes_; }

  [[nodiscard]] bool believed(TxnId txn) const { return believed_[txn.index()]; }

  [[nodiscard]] const std::vector<bool>& all_believed() const { return believed_; }

  /// Whether a value was appended to the key twice, so that reads do not determine the append.
  [[nodiscard]] bool ambiguous(KeyId key) const { return ambiguous_[key.index()]; }

  /// For each key that may have been read in contradictory ways: its lists. The last one is the
  /// version order.
  [[nodiscard]] const std::map<KeyId, std::vector<SeenList>>& contested() const {
    return contested_;
  }

  /// The elements in version order, each once. Empty if no read saw an element of the key.
  [[nodiscard]] std::span<const ValueId> order(KeyId key) const {
    return std::span(order_).subspan(order_begin_[key.index()],
                                     order_begin_[key.index() + 1] - order_begin_[key.index()]);
  }

  /// The believed transaction that appended the element at this position, or none().
  [[nodiscard]] TxnId writer_at(KeyId key, std::uint32_t position) const {
    return order_writer_[order_begin_[key.index()] + position];
  }

  /// The last position up to this version, which may be kInitial, with a believed writer; else
  /// kInitial.
  [[nodiscard]] std::uint32_t last_written(KeyId key, std::uint32_t version) const {
    return version == kInitial ? kInitial : last_written_[order_begin_[key.index()] + version];
  }

  /// The number of first versions that all longest lists of the key share: the whole order, unless
  /// several longest lists differ. These say nothing about later versions.
  [[nodiscard]] std::uint32_t agreed_count(KeyId key) const {
    const auto torn = torn_.find(key);
    return torn == torn_.end() ? static_cast<std::uint32_t>(order(key).size()) : torn->second;
  }

  /// The first key with longest lists that differ, or none().
  [[nodiscard]] KeyId torn_key() const {
    return torn_.empty() ? KeyId::none() : torn_.begin()->first;
  }

  /// For each such key: the believed writers of the elements of each of these lists, in its order.
  [[nodiscard]] std::map<KeyId, std::vector<std::vector<TxnId>>> tied_orders() const;

  /// The first key with an element in its version order that has no believed writer, or none().
  [[nodiscard]] KeyId key_without_writer() const;

  /// The believed transaction that appended the last element of this list; none() if the list is
  /// empty or there is none.
  [[nodiscard]] TxnId writer_read(Op read) const;
  /// Position of an appended element in the version order, or kNowhere.
  [[nodiscard]] std::uint32_t position(KeyId key, ValueId element) const;
  /// Whether no believed read shows the append, so that it follows all that was observed.
  [[nodiscard]] bool unobserved(Op append) const;
  /// The version that a read shows: the position of its last element; kInitial for nil or an empty
  /// list; kNowhere if the element is in no version order.
  [[nodiscard]] std::uint32_t version_read(Op read) const;

  /// A flat number for (key, version), below version_count(); also for kInitial, not for kNowhere.
  [[nodiscard]] std::size_t version_number(KeyId key, std::uint32_t version) const {
    return order_begin_[key.index()] + key.index() + (version == kInitial ? 0 : version + 1);
  }

  [[nodiscard]] std::size_t version_count() const { return order_.size() + ambiguous_.size(); }

  /// The last version in the order, or kInitial.
  [[nodiscard]] std::uint32_t last_version(KeyId key) const {
    const std::size_t size = order(key).size();
    return size == 0 ? kInitial : static_cast<std::uint32_t>(size - 1);
  }

 private:
  void find_believed();
  void find_ambiguous();
  void find_orders();
  void find_torn();
  void mark_observed();
  void add_order(KeyId key, std::optional<ListId> longest, std::optional<ValueId> only_append);
  [[nodiscard]] TxnId writer_of(const WriteEntry* entry) const;

  const History& history_;
  ExternalLists lists_;
  WriteIndex writes_;
  std::vector<bool> believed_;
  std::vector<bool> ambiguous_;
  std::map<KeyId, std::vector<SeenList>> contested_;
  std::vector<bool> order_is_trunk_;  // by key: the order is a prefix of History::trunk
  std::vector<std::uint32_t> order_begin_ = {0};
  std::vector<ValueId> order_;
  std::vector<TxnId> order_writer_;
  std::vector<std::uint32_t> last_written_;  // by place in order_
  std::map<KeyId, std::uint32_t> torn_;      // agreed_count() of keys whose longest lists differ
};

/// By key, the longest list that was read among the operations that `each_op` enumerates.
class LongestLists {
 public:
  explicit LongestLists(const ExternalLists& lists)
      : lists_(lists), longest_(lists.history().key_count()) {}

  void add(Op op);
  /// The list; nothing if no read saw an element of the key.
  [[nodiscard]] std::optional<ListId> of(KeyId key) const;

 private:
  const ExternalLists& lists_;
  std::vector<ListId> longest_;  // prefix(0): no list
};

}  // namespace elapid
