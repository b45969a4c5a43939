#include "engine/solve/key_links.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/infer/order.h"

namespace elapid {

namespace {

class Linker {
 public:
  Linker(const History& history, const Footprints& footprints)
      : history_(history), footprints_(footprints) {}

  void follow_sessions() {
    std::vector<const Touch*> last(history_.key_count(), nullptr);
    std::vector<TxnId> by(history_.key_count());
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::vector<KeyId> touched;
      for (const TxnId txn : history_.session_txns({s})) {
        for (const Touch& touch : touches(txn)) {
          const Touch*& before = last[touch.key.index()];
          if (before != nullptr) {
            link(by[touch.key.index()], *before, txn, touch, true);
          }
          if (history_.committed(txn)) {
            touched.push_back(touch.key);
            before = &touch;
            by[touch.key.index()] = txn;
          }
        }
      }
      for (const KeyId key : touched) {
        last[key.index()] = nullptr;
      }
    }
  }

  void follow_real_time() {
    each_realtime_link<Touch>(
        history_, [this](TxnId txn) { return touches(txn); },
        [this](TxnId a, const Touch& first, TxnId b, const Touch& second) {
          link(a, first, b, second, false);
        });
  }

  std::vector<KeyLink> take() {
    std::ranges::sort(links_, {}, [](const KeyLink& link) {
      return std::tuple(link.first, link.key, link.second, link.is_session);
    });
    return std::move(links_);
  }

 private:
  /// The touches that read or wrote a value.
  [[nodiscard]] std::vector<std::reference_wrapper<const Touch>> touches(TxnId txn) const {
    std::vector<std::reference_wrapper<const Touch>> telling;
    for (const Touch& touch : footprints_.of(txn)) {
      if (!touch.read.is_none() || !touch.write.is_none()) {
        telling.emplace_back(touch);
      }
    }
    return telling;
  }

  void link(TxnId a, const Touch& first, TxnId b, const Touch& second, bool is_session) {
    links_.push_back({.first = a.value,
                      .second = b.value,
                      .key = first.key,
                      .is_session = is_session,
                      .first_wrote = !first.write.is_none(),
                      .second_read = !second.read.is_none(),
                      .second_wrote = !second.write.is_none()});
  }

  const History& history_;
  const Footprints& footprints_;
  std::vector<KeyLink> links_;
};

}  // namespace

std::vector<KeyLink> find_key_links(const History& history, const Footprints& footprints,
                                    const Assumptions& assumptions) {
  Linker linker(history, footprints);
  if (assumptions.sequential_keys) {
    linker.follow_sessions();
  }
  if (assumptions.linearizable_keys && history.info().has_real_time) {
    linker.follow_real_time();
  }
  return linker.take();
}

std::vector<KeySuccession> find_successions(const History& history, const Footprints& footprints,
                                            const Assumptions& assumptions) {
  const std::unordered_map<std::int64_t, std::int64_t> places(assumptions.transaction_order.begin(),
                                                              assumptions.transaction_order.end());

  struct Write {
    KeyId key;
    std::int64_t place = 0;
    std::uint32_t txn = 0;
  };

  std::vector<Write> writes;
  for (std::uint32_t t = 0; t < history.txn_count() && !places.empty(); ++t) {
    const auto place = places.find(history.representative({t}).index);
    if (!history.committed({t}) || place == places.end()) {
      continue;
    }
    for (const Touch& touch : footprints.of({t})) {
      if (!touch.write.is_none()) {
        writes.push_back({touch.key, place->second, t});
      }
    }
  }
  const auto rank = [](const Write& write) {
    return std::tuple(write.key, write.place, write.txn);
  };
  std::ranges::sort(writes, {}, rank);
  std::vector<KeySuccession> successions;
  std::size_t before = 0;  // the first write with the preceding place
  std::size_t same = 0;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].key != writes[same].key) {
      before = same = i;
    } else if (writes[i].place != writes[same].place) {
      before = std::exchange(same, i);
    }
    for (std::size_t b = before; b < same; ++b) {
      successions.push_back({writes[b].txn, writes[i].txn, writes[i].key});
    }
  }
  return successions;
}

}  // namespace elapid
