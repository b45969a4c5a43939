// Points in the database's time, finer than timestamps: events at one time have an order, too.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace elapid {

/// A timestamp of a hybrid clock, ordered by its physical part, then by its logical part.
struct Timestamp {
  std::int64_t physical = 0;
  std::uint32_t logical = 0;

  static constexpr Timestamp first() { return {std::numeric_limits<std::int64_t>::min(), 0}; }

  static constexpr Timestamp last() {
    return {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint32_t>::max()};
  }

  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

/// The most that two clocks may differ, in units of the physical part; see SkewedClocks.
struct ClockSkew {
  std::uint64_t bound = 0;

  /// Whether `a` is earlier than `b` for all allowed clock errors.
  [[nodiscard]] constexpr bool is_certainly_before(Timestamp a, Timestamp b) const {
    return a<b&& static_cast<std::uint64_t>(b.physical) - static_cast<std::uint64_t>(a.physical)>
        bound;
  }

  /// Whether two timestamps may be in the wrong order.
  [[nodiscard]] constexpr bool may_have_swapped(Timestamp earlier, Timestamp later) const {
    return bound > 0 && !is_certainly_before(earlier, later);
  }

  /// The least timestamp after which all timestamps are certainly later, or the last one.
  [[nodiscard]] constexpr Timestamp after(Timestamp time) const {
    const auto room = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) -
                      static_cast<std::uint64_t>(time.physical);
    if (bound >= room) {
      return Timestamp::last();
    }
    return {static_cast<std::int64_t>(static_cast<std::uint64_t>(time.physical) + bound),
            bound == 0 ? time.logical : std::numeric_limits<std::uint32_t>::max()};
  }
};

/// The timestamp just before this one, which must not be the first.
constexpr Timestamp just_before(Timestamp time) {
  return time.logical > 0 ? Timestamp{time.physical, time.logical - 1}
                          : Timestamp{time.physical - 1, std::numeric_limits<std::uint32_t>::max()};
}

/// The time of an event. Ties are as in the offline check: a version is in a snapshot if its
/// moment is less than the moment of the read, and two writers with equal moments have no
/// order.
struct Moment {
  /// In the order of events at one time; see TimelineEvent::Kind.
  enum Kind : std::uint32_t { kCommit, kWhole, kInstant, kStart };

  std::int64_t physical = std::numeric_limits<std::int64_t>::min();
  std::uint32_t logical = 0;
  Kind kind = kCommit;

  static constexpr Moment of(Timestamp time, Kind kind) {
    return {time.physical, time.logical, kind};
  }

  /// Before everything.
  static constexpr Moment first() { return {}; }

  /// After everything.
  static constexpr Moment last() { return of(Timestamp::last(), kStart); }

  [[nodiscard]] constexpr Timestamp time() const { return {physical, logical}; }

  friend constexpr auto operator<=>(const Moment&, const Moment&) = default;
};

/// The moment just before this one, which must not be the first.
constexpr Moment just_before(Moment moment) {
  if (moment.kind != Moment::kCommit) {
    return {moment.physical, moment.logical, static_cast<Moment::Kind>(moment.kind - 1)};
  }
  return Moment::of(just_before(moment.time()), Moment::kStart);
}

}  // namespace elapid
