// The place for pages that do not fit in memory; a restart finds them there again.
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

/// Whose timeline a page is a part of.
struct PageOwner {
  enum class Kind : std::uint8_t { kKey, kSession };

  Kind kind = Kind::kKey;
  Atom name = {};
};

struct StoredPage {
  Moment begin = {};
  std::string bytes = {};
};

/// Pages by owner and the moment at which they begin. A store whose disk fails keeps the error to
/// itself until it is asked for its status(); answers are worth nothing from then on.
class PageStore {
 public:
  virtual ~PageStore() = default;

  /// Adds a page, or replaces that which begins there.
  virtual void save(PageOwner owner, Moment begin, std::string_view bytes) = 0;

  /// The same for a page that leaves memory, now or later: the store returns it when asked.
  /// `encode` gives its bytes, and may be called by another thread.
  virtual void move(PageOwner owner, Moment begin, std::function<std::string()> encode) {
    save(owner, begin, encode());
  }

  /// Waits until all pages are there that were moved.
  virtual void finish() {}

  /// The last page that begins before a moment, or at it.
  virtual std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) = 0;

  /// The first page that begins after a moment.
  virtual std::optional<StoredPage> first_after(PageOwner owner, Moment moment) = 0;

  /// The first error that there was.
  [[nodiscard]] virtual Status status() const { return {}; }
};

}  // namespace elapid
