// Finds the writer of a value that should not have been read.
#pragma once

#include "engine/online/key_page.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The source of the value of a wrong read.
struct OnlineOrigin {
  ReadOrigin origin = ReadOrigin::kNowhere;
  Atom writer = Atom::none();
};

/// Looks at versions in any order. Keeps the most harmless writer of the value; among equals the
/// one that committed last. As find_origins().
class OriginSearch {
 public:
  /// `initial`: the origin if no write of the value is found.
  OriginSearch(const OnlineRead& read, OnlineOrigin initial) : read_(read), best_(initial) {}

  void look_at(const OnlineVersion& version) {
    if (version.value == read_.value) {
      const Timestamp read = read_.at.time();
      offer(version.at.time() <= read ? ReadOrigin::kBefore
            : version.start <= read   ? ReadOrigin::kUncommitted
                                      : ReadOrigin::kAfter,
            version.writer, version.at);
    }
  }

  void look_at(const PassingValue& passing) {
    if (passing.value == read_.value) {
      offer(ReadOrigin::kIntermediate, passing.writer, passing.at);
    }
  }

  /// `writer`: none() if no aborted transaction wrote the value.
  void look_at_aborted(Atom writer) {
    if (!writer.is_none()) {
      offer(ReadOrigin::kAborted, writer, Moment::last());
    }
  }

  [[nodiscard]] const OnlineOrigin& best() const { return best_; }

  /// Whether no writer that committed earlier can be better.
  [[nodiscard]] bool is_settled() const {
    return best_.origin == ReadOrigin::kBefore && !best_.writer.is_none();
  }

 private:
  void offer(ReadOrigin origin, Atom writer, Moment at) {
    origin = writer == read_.reader ? ReadOrigin::kOwnFuture : origin;
    const bool is_later =
        origin == best_.origin && (best_.writer.is_none() || at.time() > at_.time());
    if (origin < best_.origin || is_later) {
      best_ = {origin, writer};
      at_ = at;
    }
  }

  OnlineRead read_;
  OnlineOrigin best_;
  Moment at_ = Moment::first();  // moment of the best writer
};

}  // namespace elapid
