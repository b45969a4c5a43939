// The store for pages that do not fit in memory. They survive a restart.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

/// The timeline that a page belongs to.
struct PageOwner {
  enum class Kind : std::uint8_t { kKey, kSession };

  Kind kind = Kind::kKey;
  Atom name = {};
};

struct StoredPage {
  Moment begin = {};
  std::string bytes = {};
};

/// Pages by owner and first moment. If its disk fails, a store keeps the error for status(). From
/// then on its answers are meaningless.
class PageStore {
 public:
  virtual ~PageStore() = default;

  /// Adds a page, or replaces the page with the same owner and begin.
  virtual void save(PageOwner owner, Moment begin, std::string_view bytes) = 0;

  /// The same for a page that leaves memory, now or later: the store returns it on request.
  /// `encode` returns its bytes; another thread may call it.
  virtual void move(PageOwner owner, Moment begin, std::function<std::string()> encode) {
    save(owner, begin, encode());
  }

  /// Waits until all moved pages are stored.
  virtual void finish() {}

  /// The owner's last page that begins at or before a moment.
  virtual std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) = 0;

  /// The owner's first page that begins after a moment.
  virtual std::optional<StoredPage> first_after(PageOwner owner, Moment moment) = 0;

  /// The first error, if any.
  [[nodiscard]] virtual Status status() const { return {}; }
};

}  // namespace elapid
