#include "engine/check/completion_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"

namespace elapid {

namespace {

class CompletionOrder {
 public:
  CompletionOrder(const History& history, const TxnLevels& levels)
      : history_(history), levels_(levels) {}

  Witness run() {
    index_writers();
    place_indeterminate();
    place_readers();
    std::vector<std::pair<Place, TxnId>> order;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (places_[txn.index()] != kNowhere) {
        order.emplace_back(places_[txn.index()], txn);
      }
    }
    std::ranges::sort(order);
    Witness witness;
    witness.order.reserve(order.size());
    for (const auto& [place, txn] : order) {
      witness.order.push_back({txn, true});
    }
    return witness;
  }

 private:
  /// Three for each event: before it, at it, and behind it.
  using Place = std::uint64_t;
  static constexpr Place kNowhere = ~Place{0};

  static std::int64_t version(KeyId key, ValueId value) {
    return static_cast<std::int64_t>((std::uint64_t{key.value} << 32) | value.bits());
  }

  [[nodiscard]] Place completion(TxnId txn) const {
    return Place{history_.completion_id(txn).value} * 3 + 1;
  }

  void index_writers() {
    places_.assign(history_.txn_count(), kNowhere);
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      if (history_.committed(txn)) {
        places_[txn.index()] = completion(txn);
      } else {
        has_indeterminate_ = true;
      }
      for (const Op op : history_.ops(txn)) {
        if (op.is_write()) {
          writers_.find_or_add(version(op.key(), op.value()), txn.value);
        }
      }
    }
  }

  /// Visits the writers of what a read shows; of a list the writers of all elements, the last one
  /// first.
  template <class Visit>
  void each_source(Op read, Visit visit) const {
    const auto find = [&](ValueId value) {
      const std::uint32_t writer = writers_.find(version(read.key(), value));
      return writer == IntMap::kAbsent || visit(TxnId{writer});
    };
    if (read.kind() != OpKind::kReadList) {
      find(read.value());
      return;
    }
    const auto elements = history_.elements(read);
    for (std::size_t i = elements.size(); i-- > 0 && find(elements[i]);) {
    }
  }

  void place_indeterminate() {
    for (TxnId txn{0}; txn.index() < history_.txn_count() && has_indeterminate_; ++txn.value) {
      for (const Op op : history_.ops(txn)) {
        if (!op.is_read() || !history_.committed(txn)) {
          continue;
        }
        each_source(op, [&](TxnId writer) {
          Place& place = places_[writer.index()];
          if (history_.status(writer) == TxnStatus::kIndeterminate) {
            place = std::min(place, completion(txn) - 1);
          }
          return true;
        });
      }
    }
  }

  void place_readers() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const OrderLevel level = levels_.of(txn);
      const auto ops = history_.ops(txn);
      if (level.visibility != Visibility::kSerial || level.sessions || level.real_time ||
          !history_.committed(txn) || std::ranges::any_of(ops, &Op::is_write)) {
        continue;
      }
      Place last = 0;
      for (const Op op : ops) {
        each_source(op, [&](TxnId writer) {
          const Place place = places_[writer.index()];
          last = place == kNowhere ? last : std::max(last, place);
          return false;
        });
      }
      places_[txn.index()] = last + 1;
    }
  }

  const History& history_;
  const TxnLevels& levels_;
  IntMap writers_ = {};  // of versions
  std::vector<Place> places_ = {};
  bool has_indeterminate_ = false;
};

}  // namespace

Witness completion_order(const History& history, const TxnLevels& levels) {
  return CompletionOrder(history, levels).run();
}

}  // namespace elapid
