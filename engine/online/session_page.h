// A part of a session's timeline: its transactions in their order.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

/// Where a transaction stands in the order of its session; see OnlineSession.
struct SessionPlace {
  Moment at = {};              ///< decides first
  std::int64_t completed = 0;  ///< of numbered transactions
  Timestamp committed = {};    ///< of numbered transactions
  std::uint64_t arrival = 0;   ///< counted

  friend auto operator<=>(const SessionPlace&, const SessionPlace&) = default;
};

struct SessionEntry {
  SessionPlace place = {};
  Timestamp starts = {};
  Moment ends = {};  ///< the commit
  Atom txn = {};
  bool is_numbered = false;    ///< the stream says where it stands
  bool is_certain = true;      ///< false: indeterminate, so that nothing must follow it
  Atom missed = Atom::none();  ///< what came before it and had not ended
  Timestamp missed_end = {};   ///< when that one did

  [[nodiscard]] Moment at() const { return place.at; }
};

struct SessionPage {
  Moment begin = Moment::first();
  bool is_dirty = true;
  std::vector<SessionEntry> entries = {};  ///< by place

  [[nodiscard]] std::size_t size() const { return entries.size(); }

  [[nodiscard]] std::size_t memory() const;
  [[nodiscard]] bool has_entries_before(Moment moment) const;
  [[nodiscard]] std::optional<Moment> cut(bool is_last) const;
  [[nodiscard]] SessionPage split(Moment from);
  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static SessionPage decode(Moment begin, std::string_view bytes);
};

}  // namespace elapid
