// The values that each transaction must read from others, and the values that it leaves. A demand
// is "wanted" by the transactions that have it.
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

// States that keys pass through, numbered: of lists a tree, in which a child has one element more;
// of registers the same, one level deep.

/// The place of something in an array, or kNone.
using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();

/// A state of a key that matters, because some transaction wants to read it or writes it.
struct Version {
  KeyId key;
  Index parent = kNone;  ///< kNone: nothing was written yet
  ValueId element;       ///< the last one
};

/// About 60 bytes a version. The version that a key begins with has the key's number.
class Versions {
 public:
  explicit Versions(const History& history);

  [[nodiscard]] static Index root(KeyId key) { return key.value; }

  [[nodiscard]] const Version& operator[](Index version) const { return versions_[version]; }

  [[nodiscard]] Index count() const { return static_cast<Index>(versions_.size()); }

  [[nodiscard]] bool is_root(Index version) const { return versions_[version].parent == kNone; }

  /// The version with one element more, or kNone if it does not matter.
  [[nodiscard]] Index child(Index version, ValueId element) const;

  /// The same, which matters from now on.
  Index add_child(Index version, ValueId element);

  /// The first `length` elements of the list that `op` read. Linear in it, unless it is a prefix of
  /// the key's longest list.
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

/// A transaction's dealings with one key.
struct Access {
  KeyId key;
  /// The version that its reads before own writes saw; kNone if none is known. See
  /// Demands::accepts().
  Index want = kNone;
  /// Of a register, the version it leaves behind; of a list, the version that is its first element
  /// alone, which stands for all lists that it may begin to extend. kNone: it writes nothing.
  Index write = kNone;
  /// Of a list: what it appends, see Demands::appended().
  Index append_begin = 0;
  Index append_count = 0;

  [[nodiscard]] bool reads() const { return want != kNone; }

  [[nodiscard]] bool writes() const { return write != kNone; }
};

enum class Role : std::uint8_t {
  kAbsent,     ///< aborted, or indeterminate and never seen by another transaction
  kOptional,   ///< indeterminate: it may take effect
  kCommitted,  ///< it took effect
};

/// Near linear in operations and elements of lists that are no prefix of their key's longest.
class Demands {
 public:
  Demands(const History& history);

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] bool are_lists() const { return is_list_; }

  [[nodiscard]] Role role(TxnId txn) const { return roles_[txn.index()]; }

  /// One entry a key; none of absent transactions.
  [[nodiscard]] std::span<const Access> accesses(TxnId txn) const {
    return std::span(accesses_).subspan(begin_[txn.index()],
                                        begin_[txn.index() + 1] - begin_[txn.index()]);
  }

  [[nodiscard]] std::span<const ValueId> appended(const Access& access) const {
    return std::span(appended_).subspan(access.append_begin, access.append_count);
  }

  [[nodiscard]] const Versions& versions() const { return versions_; }

  /// The state of a register before the first write has two names: nil and the initial value. These
  /// are the versions in which transactions wrote them; kNone where they do not matter.
  [[nodiscard]] std::pair<Index, Index> names_of_root(KeyId key) const {
    return names_of_root_[key.index()];
  }

  /// Whether a transaction that wants a version can read another one instead.
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

  /// Of a list: the next version on the way to all that committed transactions want to read; kNone
  /// at its end and beside it.
  [[nodiscard]] Index next_wanted(Index version) const {
    return version < next_wanted_.size() ? next_wanted_[version] : kNone;
  }

  /// Committed transactions whose reads contradict their own operations or one another's, or show
  /// what no transaction can have written: no order serves them all.
  [[nodiscard]] const std::vector<TxnId>& unservable() const { return unservable_; }

  /// Why the demands do not say all of the history, if so.
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
