// A session under an online check: whether its transactions follow one another (SESSION).
#ifndef ELAPID_ENGINE_ONLINE_ONLINE_SESSION_H_
#define ELAPID_ENGINE_ONLINE_ONLINE_SESSION_H_

#include <cstddef>
#include <utility>

#include "engine/online/paged_timeline.h"
#include "engine/online/session_page.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

class SessionObserver {
 public:
  virtual ~SessionObserver() = default;

  /// Of the neighbours that `entry` has in its session, the one before has (not) ended in time:
  /// `entry.missed` has changed, and was `before`.
  virtual void on_session(Atom session, const SessionEntry& entry, Atom before) = 0;
};

/// Takes transactions in any order, and says at once what each changes: itself, and what comes
/// behind it up to the next one that certainly committed.
class OnlineSession {
 public:
  OnlineSession(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kSession, name}, is_stored, paging) {}

  /// True if the entry is the last of the session so far.
  bool add(const SessionEntry& entry, ReadPoint read_point, Paging& paging,
           SessionObserver& observer);

  /// An entry as it is by now.
  [[nodiscard]] SessionEntry entry(const SessionPlace& place, Paging& paging);

  [[nodiscard]] PagedTimeline<SessionPage>& pages() { return pages_; }

 private:
  /// An entry and the page that it is in.
  using Place = std::pair<SessionPage*, std::size_t>;

  [[nodiscard]] Place find(const SessionPlace& place, Paging& paging);
  [[nodiscard]] const SessionEntry* certain_before(Place place, Paging& paging);
  bool step(Place& place, Paging& paging);

  Atom name_;
  PagedTimeline<SessionPage> pages_;
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_ONLINE_ONLINE_SESSION_H_
