// Version orders of lists: since every append leaves its trace in all later reads, the longest list
// read of a key is the order of its versions.
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

// The different lists that reads of a key show, for keys whose lists may contradict one another.

/// A list of a key with the first operation that read it.
struct SeenList {
  ListId id;
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop = 0;
};

/// The distinct non-empty lists that `included` transactions read, shortest first, of those keys of
/// which some read was no prefix of the longest list kept. Of all other keys the lists are prefixes
/// of one another. O(reads + elements of these keys' lists).
[[nodiscard]] std::map<KeyId, std::vector<SeenList>> distinct_lists(
    const ExternalLists& external, const std::vector<bool>& included);

/// Believed transactions, version orders, and who wrote each version.
///
/// An indeterminate transaction is believed only if a believed one read an element it appended:
/// nothing is concluded from transactions that may have been rolled back.
class ListVersions {
 public:
  static constexpr std::uint32_t kInitial = 0xfffffffeU;  ///< the version before the first append
  static constexpr std::uint32_t kNowhere = WriteEntry::kNowhere;

  /// O(operations + elements of the longest lists).
  explicit ListVersions(const History& history);

  /// What reads show of others.
  [[nodiscard]] const ExternalLists& lists() const { return lists_; }

  [[nodiscard]] const WriteIndex& writes() const { return writes_; }

  [[nodiscard]] bool believed(TxnId txn) const { return believed_[txn.index()]; }

  [[nodiscard]] const std::vector<bool>& all_believed() const { return believed_; }

  /// Keys to which one value was appended twice: reads do not tell which append they saw.
  [[nodiscard]] bool ambiguous(KeyId key) const { return ambiguous_[key.index()]; }

  /// The lists of keys that may have been read in contradictory ways; of these the last is the
  /// version order.
  [[nodiscard]] const std::map<KeyId, std::vector<SeenList>>& contested() const {
    return contested_;
  }

  /// The elements in version order, each once. Empty if the key was never seen non-empty.
  [[nodiscard]] std::span<const ValueId> order(KeyId key) const {
    return std::span(order_).subspan(order_begin_[key.index()],
                                     order_begin_[key.index() + 1] - order_begin_[key.index()]);
  }

  /// The believed transaction that appended the element at this position, or none().
  [[nodiscard]] TxnId writer_at(KeyId key, std::uint32_t position) const {
    return order_writer_[order_begin_[key.index()] + position];
  }

  /// The last position up to this version, kInitial included, that has such a transaction, or
  /// kInitial.
  [[nodiscard]] std::uint32_t last_written(KeyId key, std::uint32_t version) const {
    return version == kInitial ? kInitial : last_written_[order_begin_[key.index()] + version];
  }

  /// How many versions in front all longest lists of the key share: the whole order, unless several
  /// of one length differ, which then do not tell what comes behind.
  [[nodiscard]] std::uint32_t agreed_count(KeyId key) const {
    const auto torn = torn_.find(key);
    return torn == torn_.end() ? static_cast<std::uint32_t>(order(key).size()) : torn->second;
  }

  /// The first key with longest lists that differ, or none().
  [[nodiscard]] KeyId torn_key() const {
    return torn_.empty() ? KeyId::none() : torn_.begin()->first;
  }

  /// The first key with an element in its version order that has no such transaction, or none().
  [[nodiscard]] KeyId key_without_writer() const;

  /// The believed transaction that appended the last element of this list; none() if the list is
  /// empty or no transaction did.
  [[nodiscard]] TxnId writer_read(Op read) const;
  /// Position of an appended element in the version order, or kNowhere.
  [[nodiscard]] std::uint32_t position(KeyId key, ValueId element) const;
  /// Whether an append is in no believed read at all, so that it follows all that was observed.
  [[nodiscard]] bool unobserved(Op append) const;
  /// The version that a read of a list, or of nil, shows: the position of its last element,
  /// kInitial for an empty one, kNowhere if the element is in no version order.
  [[nodiscard]] std::uint32_t version_read(Op read) const;

  /// A flat number for (key, version), kInitial included, below version_count(). Not for kNowhere.
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

/// The longest list a key was read as, by key, over the operations that `each_op` enumerates.
class LongestLists {
 public:
  explicit LongestLists(const ExternalLists& lists)
      : lists_(lists), longest_(lists.history().key_count()) {}

  void add(Op op);
  /// Nothing if the key was never read non-empty.
  [[nodiscard]] std::optional<ListId> of(KeyId key) const;

 private:
  const ExternalLists& lists_;
  std::vector<ListId> longest_;  // prefix(0): none
};

}  // namespace elapid
