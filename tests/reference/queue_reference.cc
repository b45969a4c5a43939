#include "tests/reference/queue_reference.h"

#include <algorithm>
#include <set>
#include <utility>

namespace elapid::reference {

namespace {

using Multiset = std::multiset<int>;

/// a without b, each as often as it is there.
Multiset minus(Multiset a, const Multiset& b) {
  for (const int value : b) {
    const auto found = a.find(value);
    if (found != a.end()) {
      a.erase(found);
    }
  }
  return a;
}

std::string text(const Multiset& values) {
  std::string all;
  for (const int value : values) {
    all += (all.empty() ? "" : " ") + std::to_string(value);
  }
  return all;
}

/// Values of the events of this function and type; those of drains are dequeued.
Multiset values_of(const std::vector<CallEvent>& events, const std::string& f,
                   const std::string& type) {
  Multiset all;
  for (const CallEvent& event : events) {
    const bool counts = event.f == f || (f == "dequeue" && event.f == "drain");
    if (counts && event.type == type) {
      all.insert(event.values.begin(), event.values.end());
    }
  }
  return all;
}

/// The place of the invocation that this completion answers.
std::size_t invocation(const std::vector<CallEvent>& events, std::size_t completion) {
  std::size_t i = completion;
  while (events[i].type != "invoke" || events[i].process != events[completion].process) {
    --i;
  }
  return i;
}

bool finds_nothing(const CallEvent& event) {
  return event.f == "drain" ? event.type == "ok"
                            : event.f == "dequeue" && event.values.empty() &&
                                  (event.type == "ok" || event.type == "fail");
}

/// What was acknowledged before the last operation began that found nothing.
Multiset acknowledged_in_time(const std::vector<CallEvent>& events) {
  std::size_t last = 0;
  bool is_found = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (finds_nothing(events[i])) {
      last = std::max(last, invocation(events, i));
      is_found = true;
    }
  }
  Multiset values;
  for (std::size_t i = 0; is_found && i < last; ++i) {
    if (events[i].f == "enqueue" && events[i].type == "ok") {
      values.insert(events[i].values.begin(), events[i].values.end());
    }
  }
  return values;
}

}  // namespace

QueueResult judge_total_queue(const std::vector<CallEvent>& events) {
  const Multiset attempts = values_of(events, "enqueue", "invoke");
  const Multiset enqueues = values_of(events, "enqueue", "ok");
  const Multiset dequeues = values_of(events, "dequeue", "ok");
  const Multiset ok = minus(dequeues, minus(dequeues, attempts));
  Multiset unexpected;
  std::ranges::copy_if(dequeues, std::inserter(unexpected, unexpected.end()),
                       [&](int value) { return !attempts.contains(value); });
  const Multiset duplicated = minus(minus(dequeues, attempts), unexpected);
  const Multiset lost = minus(enqueues, dequeues);
  const Multiset recovered = minus(ok, enqueues);
  const auto count = [](const Multiset& values) { return std::to_string(values.size()); };
  QueueResult result = {.is_valid = lost.empty() && unexpected.empty()};
  result.entries = {{"attempt-count", count(attempts)},
                    {"acknowledged-count", count(enqueues)},
                    {"ok-count", count(ok)},
                    {"unexpected-count", count(unexpected)},
                    {"duplicated-count", count(duplicated)},
                    {"lost-count", count(lost)},
                    {"recovered-count", count(recovered)},
                    {"lost", text(lost)},
                    {"unexpected", text(unexpected)},
                    {"duplicated", text(duplicated)},
                    {"recovered", text(recovered)}};
  for (const CallEvent& event : events) {
    result.throws = result.throws || (event.f == "drain" && event.type == "info");
  }
  std::map<int, std::string> open;  // by process
  std::size_t untold = 0;           // dequeues of unknown fate
  for (const CallEvent& event : events) {
    open[event.process] = event.type == "invoke" ? event.f : "";
    untold += event.f == "dequeue" && event.type == "info" ? 1U : 0U;
  }
  bool has_open_drain = false;
  for (const auto& [process, f] : open) {
    has_open_drain = has_open_drain || f == "drain";
    untold += f == "dequeue" ? 1U : 0U;
  }
  result.is_lost_for_certain = !result.throws && !has_open_drain &&
                               minus(acknowledged_in_time(events), dequeues).size() > untold;
  return result;
}

QueueResult judge_queue(const std::vector<CallEvent>& events) {
  QueueResult result;
  Multiset inside;
  for (const CallEvent& event : events) {
    if (event.f == "enqueue" && event.type == "invoke") {
      inside.insert(event.values.begin(), event.values.end());
    }
    const bool takes = (event.f == "dequeue" || event.f == "drain") && event.type == "ok";
    for (const int value : takes ? event.values : std::vector<int>()) {
      const auto found = inside.find(value);
      if (found == inside.end()) {
        result.is_valid = false;
        result.entries = {{"error", "can't dequeue " + std::to_string(value)}};
        return result;
      }
      inside.erase(found);
    }
  }
  result.entries = {{"final-queue", text(inside)}};
  return result;
}

QueueResult judge_unique_ids(const std::vector<CallEvent>& events) {
  QueueResult result;
  const Multiset given = values_of(events, "generate", "ok");
  const auto attempted = std::ranges::count(events, "invoke", &CallEvent::type);
  std::map<int, std::size_t> duplicated;
  for (const int id : given) {
    if (given.count(id) > 1) {
      duplicated[id] = given.count(id);
    }
  }
  std::vector<std::pair<std::size_t, int>> frequent;
  for (const auto& [id, count] : duplicated) {
    frequent.emplace_back(count, id);
  }
  std::ranges::sort(frequent, std::greater<>());
  frequent.resize(std::min<std::size_t>(frequent.size(), 48));
  std::string shown;
  std::ranges::sort(frequent, {}, &std::pair<std::size_t, int>::second);
  for (const auto& [count, id] : frequent) {
    shown += (shown.empty() ? "" : " ") + std::to_string(id) + " " + std::to_string(count);
  }
  result.is_valid = duplicated.empty();
  result.entries = {{"attempted-count", std::to_string(attempted)},
                    {"acknowledged-count", std::to_string(given.size())},
                    {"duplicated-count", std::to_string(duplicated.size())},
                    {"duplicated", shown},
                    {"range", given.empty() ? "nil"
                                            : std::to_string(*given.begin()) + " " +
                                                  std::to_string(*given.rbegin())}};
  return result;
}

}  // namespace elapid::reference
