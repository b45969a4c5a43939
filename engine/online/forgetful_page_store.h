// A page store that stores nothing, for checks that never ask for a page again.
#pragma once

#include <optional>
#include <string_view>

#include "engine/online/page_store.h"

namespace elapid {

/// For OnlineChecker::forget(). The past is only an empty page.
class ForgetfulPageStore final : public PageStore {
 public:
  void move(PageOwner /*owner*/, Moment /*begin*/,
            std::function<std::string()> /*encode*/) override {}

  void save(PageOwner /*owner*/, Moment /*begin*/, std::string_view /*bytes*/) override {}

  std::optional<StoredPage> last_up_to(PageOwner /*owner*/, Moment /*moment*/) override {
    return StoredPage{};
  }

  std::optional<StoredPage> first_after(PageOwner /*owner*/, Moment /*moment*/) override {
    return std::nullopt;
  }
};

}  // namespace elapid
