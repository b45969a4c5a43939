#include "adapter/source/dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

namespace elapid {
namespace {

/// A version, by its key and its value; none() is the initial version.
struct Version {
  KeyId key;
  std::uint32_t value = ValueId::none().bits();
  friend bool operator==(const Version&, const Version&) = default;
};

struct VersionHash {
  std::size_t operator()(const Version& version) const {
    return seeded_hash(std::uint64_t{version.key.value} << 32U | version.value);
  }
};

std::uint32_t bits_of_read(const History& history, Op read) {
  if (read.kind() == OpKind::kReadList) {
    const std::span<const ValueId> elements = history.elements(read);
    return elements.empty() ? ValueId::none().bits() : elements.back().bits();
  }
  return read.value().is_nil() ? ValueId::none().bits() : read.value().bits();
}

bool is_versioned_read(Op op) {
  return op.kind() == OpKind::kRead || op.kind() == OpKind::kReadList;
}

class DependencyCounter {
 public:
  explicit DependencyCounter(const History& history) : history_(history) {
    for_each_committed([this](TxnId txn) { note_writes(txn); });
    for_each_committed([this](TxnId txn) { note_order(txn); });
    for (const auto& [key, read] : longest_) {
      note_list(KeyId{key}, history_.elements(read));
    }
  }

  DependencyCounts count() {
    for (const auto& [version, next] : next_) {
      counts_.ww += std::size_t{are_of_two(writer(version), writer({version.key, next}))};
    }
    for_each_committed([this](TxnId txn) { count_reads(txn); });
    return counts_;
  }

 private:
  using Session = std::optional<SessionId>;  // nothing: the initial state, or one of several

  template <class Do>
  void for_each_committed(Do&& act) const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.committed(txn) && txn != history_.info().initial_txn) {
        act(txn);
      }
    }
  }

  static bool are_of_two(Session one, Session other) { return one && other && *one != *other; }

  [[nodiscard]] Session writer(const Version& version) const {
    const auto found = writers_.find(version);
    return found == writers_.end() ? Session() : found->second;
  }

  void note_writes(TxnId txn) {
    for (const Op op : history_.ops(txn)) {
      if (op.is_write()) {
        const auto [at, is_new] =
            writers_.try_emplace({op.key(), op.value().bits()}, history_.session(txn));
        if (!is_new) {
          at->second.reset();
        }
      }
    }
  }

  /// Notes the order of versions: from the longest read of each list, and from transactions that
  /// read a register and overwrite it.
  void note_order(TxnId txn) {
    const auto ops = history_.ops(txn);
    for (auto op = ops.begin(); op != ops.end(); ++op) {
      if ((*op).kind() == OpKind::kReadList) {
        const auto [at, is_new] = longest_.try_emplace((*op).key().value, *op);
        if (!is_new && history_.elements(at->second).size() < history_.elements(*op).size()) {
          at->second = *op;
        }
      } else if ((*op).kind() == OpKind::kRead && is_first_of_key(ops.begin(), op)) {
        std::optional<Op> last;
        std::for_each(op, ops.end(), [&](Op later) {
          if (later.kind() == OpKind::kWrite && later.key() == (*op).key()) {
            last = later;
          }
        });
        if (last) {
          next_.try_emplace({(*op).key(), bits_of_read(history_, *op)}, last->value().bits());
        }
      }
    }
  }

  /// Whether this is the first operation on its key in the transaction.
  template <class Iterator>
  static bool is_first_of_key(Iterator begin, Iterator at) {
    return std::none_of(begin, at, [&](Op earlier) { return earlier.key() == (*at).key(); });
  }

  void note_list(KeyId key, std::span<const ValueId> elements) {
    std::uint32_t before = ValueId::none().bits();
    for (const ValueId element : elements) {
      next_.try_emplace({key, before}, element.bits());
      before = element.bits();
    }
  }

  void count_reads(TxnId txn) {
    const Session reader = history_.session(txn);
    const auto ops = history_.ops(txn);
    for (auto op = ops.begin(); op != ops.end(); ++op) {
      if (!is_versioned_read(*op) || !is_first_of_key(ops.begin(), op)) {
        continue;
      }
      const Version seen = {(*op).key(), bits_of_read(history_, *op)};
      counts_.wr += std::size_t{are_of_two(writer(seen), reader)};
      if (const auto next = next_.find(seen); next != next_.end()) {
        counts_.rw += std::size_t{are_of_two(writer({seen.key, next->second}), reader)};
      }
    }
  }

  const History& history_;
  std::unordered_map<Version, Session, VersionHash> writers_ = {};
  std::unordered_map<Version, std::uint32_t, VersionHash> next_ = {};  // the version that follows
  std::unordered_map<std::uint32_t, Op> longest_ = {};                 // by KeyId
  DependencyCounts counts_ = {};
};

}  // namespace

DependencyCounts count_dependencies(const History& history) {
  return DependencyCounter(history).count();
}

std::string dependencies_text(const DependencyCounts& counts) {
  return fmt::format("{} ww, {} wr and {} rw dependencies between sessions", counts.ww, counts.wr,
                     counts.rw);
}

}  // namespace elapid
