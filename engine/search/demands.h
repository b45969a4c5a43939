// The values that each transaction must read from others, and the values that it leaves. A version
// is "wanted" by the transactions that must read it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::search {

// Numbered states of keys. The states of a list form a tree: a child has one more element. The
// states of a register form a tree of depth one.

/// A place in an array, or kNone.
using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();

/// A state of a key that some transaction writes or wants to read.
struct Version {
  KeyId key;
  Index parent = kNone;  ///< kNone: the state before the first write
  ValueId element;       ///< the last element
};

/// About 60 bytes a version. The first version of a key has the key's number.
class Versions {
 public:
  explicit Versions(const History& history);

  [[nodiscard]] static Index root(KeyId key) { return key.value; }

  [[nodiscard]] const Version& operator[](Index version) const { return versions_[version]; }

  [[nodiscard]] Index count() const { return static_cast<Index>(versions_.size()); }

  [[nodiscard]] bool is_root(Index version) const { return versions_[version].parent == kNone; }

  /// The version with `element` added; kNone if no transaction wants or writes it.
  [[nodiscard]] Index child(Index version, ValueId element) const;

  /// The same, added if it is missing.
  Index add_child(Index version, ValueId element);

  /// The version of the first `length` elements that `op` read. Linear in `length`, unless they are
  /// a prefix of the key's longest list.
  Index add_list(Op read, std::uint32_t length);

 private:
  [[nodiscard]] static std::uint64_t name(Index version, ValueId element) {
    return std::uint64_t{version} << 32 | element.bits();
  }

  const History& history_;
  std::vector<Version> versions_;
  std::unordered_map<std::uint64_t, Index, SeededHash> children_;
  std::vector<std::vector<Index>> trunks_;  // by key: the prefixes of its longest list so far
};

/// The operations of a transaction on one key.
struct Access {
  KeyId key;
  /// The version that its reads before own writes saw; kNone if there are none. See
  /// Demands::accepts().
  Index want = kNone;
  /// The version that it leaves; kNone if it does not write. For a list: the version with only its
  /// first element, as a stand-in for all lists that it may extend.
  Index write = kNone;
  /// For a list: the appended elements, see Demands::appended().
  Index append_begin = 0;
  Index append_count = 0;

  [[nodiscard]] bool reads() const { return want != kNone; }

  [[nodiscard]] bool writes() const { return write != kNone; }
};

enum class Role : std::uint8_t {
  kAbsent,     ///< aborted, or indeterminate and never seen by another transaction
  kOptional,   ///< indeterminate: it may have taken effect
  kCommitted,  ///< committed, or seen: it took effect
};

/// Near linear in operations, and in the elements of lists that are no prefix of the longest one.
class Demands {
 public:
  Demands(const History& history);

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] bool are_lists() const { return is_list_; }

  [[nodiscard]] Role role(TxnId txn) const { return roles_[txn.index()]; }

  /// One entry a key; none for absent transactions.
  [[nodiscard]] std::span<const Access> accesses(TxnId txn) const {
    return std::span(accesses_).subspan(begin_[txn.index()],
                                        begin_[txn.index() + 1] - begin_[txn.index()]);
  }

  [[nodiscard]] std::span<const ValueId> appended(const Access& access) const {
    return std::span(appended_).subspan(access.append_begin, access.append_count);
  }

  [[nodiscard]] const Versions& versions() const { return versions_; }

  /// The state of a register before the first write has two names: nil and the initial value. These
  /// are the versions of transactions that write them; kNone if they do not matter.
  [[nodiscard]] std::pair<Index, Index> names_of_root(KeyId key) const {
    return names_of_root_[key.index()];
  }

  /// Whether a transaction that wants one version can read another instead.
  [[nodiscard]] bool accepts(Index want, Index version) const {
    if (want == version) {
      return true;
    }
    if (version == kNone || is_list_ || !versions_.is_root(version)) {
      return false;
    }
    const auto [nil, initial] = names_of_root_[version];
    return want == nil || want == initial;
  }

  /// For a list: the next version on the way to the versions that all committed transactions want.
  /// kNone at the end of this way, and off it.
  [[nodiscard]] Index next_wanted(Index version) const {
    return version < next_wanted_.size() ? next_wanted_[version] : kNone;
  }

  /// Committed transactions with reads that contradict their own operations or each other, or that
  /// show values that no transaction can have written. No order explains such reads.
  [[nodiscard]] const std::vector<TxnId>& unservable() const { return unservable_; }

  /// Why the demands do not represent the whole history; empty if they do.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

 private:
  friend class DemandsBuilder;

  const History& history_;
  bool is_list_;
  Versions versions_;
  std::vector<Role> roles_;
  std::vector<Index> begin_ = {0};
  std::vector<Access> accesses_;
  std::vector<ValueId> appended_;
  std::vector<std::pair<Index, Index>> names_of_root_;  // by key
  std::vector<Index> next_wanted_;                      // by version
  std::vector<TxnId> unservable_;
  std::string unclear_;
};

}  // namespace elapid::search
