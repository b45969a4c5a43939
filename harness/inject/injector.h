// Injects anomalies into a history.
//
// Each anomaly becomes a few transactions with keys and sessions of their own, between two events
// of the history, in less time than passes there. So the result has exactly the anomalies of the
// history and the added ones. No cycle contains both an added transaction and one of the history:
// they share no key, and in time the latter is before, after, or around the former.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/generate/event_source.h"
#include "harness/inject/injectable.h"

namespace elapid {

/// An injected anomaly and its place.
struct Injected {
  std::string anomaly = {};      ///< Injectable::name
  AnomalySet types = {};         ///< Injectable::types
  std::int64_t first_index = 0;  ///< of its events, which are adjacent
  std::int64_t last_index = 0;
  std::int64_t first_process = 0;  ///< its processes and keys are adjacent too
  std::int64_t processes = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;
};

struct InjectorOptions {
  std::uint64_t seed = 0;
  /// The approximate number of events. Injections are spread evenly at random over them, each after
  /// an event; the remaining ones come at the end.
  std::uint64_t events = 0;
  bool timestamps = false;  ///< transactions have timestamps
};

class Injector : public EventSource {
 public:
  /// Returns the events of `source`, which must outlive it, and inserts all of `wanted`.
  Injector(EventSource& source, std::vector<Injectable> wanted, const InjectorOptions& options);

  bool next(PlainEvent& event) override;

  /// The injected anomalies, in the order of the history. Complete after the last event.
  [[nodiscard]] const std::vector<Injected>& injected() const { return injected_; }

 private:
  /// One of `wanted_`, and the event of the source before it.
  struct Place {
    std::uint64_t after = 0;
    std::size_t what = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  void start();
  void tell(PlainEvent& event);
  void set_mops(const TinyEvent& told);
  void set_row_mops(const SketchedRowEvent& told);
  void set_times(PlainEvent& event, std::size_t txn) const;
  [[nodiscard]] std::size_t txn_of(std::size_t told) const;

  EventSource& source_;
  std::vector<Injectable> wanted_;
  InjectorOptions options_;
  std::vector<Place> places_ = {};
  std::size_t next_place_ = 0;
  std::uint64_t handed_on_ = 0;  // events of the source so far
  std::int64_t index_ = 0;       // of the next event
  std::int64_t time_ = 0;        // of the source's last event
  bool has_room_ = true;         // nothing was injected after that event
  bool is_over_ = false;         // the source has no more events
  std::vector<Injected> injected_ = {};
  const Injectable* what_ = nullptr;  // the current anomaly, in wanted_
  std::size_t told_ = 0;              // number of its events so far
  bool is_telling_ = false;           // it has more events
  std::vector<PlainMop> mops_ = {};
  std::vector<PlainRowOp> row_ops_ = {};
  std::vector<std::int64_t> elements_ = {};
};

/// A JSON document: an array of `{"anomaly": ..., "also": [...], "events": [first, last],
/// "processes": [...], "keys": [...]}`, one line each. `also`: anomalies that always come with this
/// one.
[[nodiscard]] std::string to_json(const std::vector<Injected>& injected);

}  // namespace elapid
