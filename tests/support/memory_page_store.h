// Pages that stay in memory, where nothing need outlive the process.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "engine/online/page_store.h"

namespace elapid {

class MemoryPageStore final : public PageStore {
 public:
  void save(PageOwner owner, Moment begin, std::string_view bytes) override {
    pages_[{owner.kind, owner.name, begin}] = bytes;
  }

  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override {
    const auto after = pages_.upper_bound({owner.kind, owner.name, moment});
    return after == pages_.begin() ? std::nullopt : page(owner, std::prev(after));
  }

  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override {
    return page(owner, pages_.upper_bound({owner.kind, owner.name, moment}));
  }

 private:
  using Place = std::tuple<PageOwner::Kind, Atom, Moment>;
  using Pages = std::map<Place, std::string>;

  [[nodiscard]] std::optional<StoredPage> page(PageOwner owner, Pages::const_iterator found) const {
    if (found == pages_.end() || std::get<0>(found->first) != owner.kind ||
        std::get<1>(found->first) != owner.name) {
      return std::nullopt;
    }
    return StoredPage{std::get<2>(found->first), found->second};
  }

  Pages pages_;
};

}  // namespace elapid
