// A page store that keeps nothing, for checks that ask for no page again.
#pragma once

#include <optional>
#include <string_view>

#include "engine/online/page_store.h"

namespace elapid {

/// For OnlineChecker::forget(). Of the past only an empty page is left.
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
