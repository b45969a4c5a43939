// Puts anomalies into a history.
//
// Each anomaly becomes a few transactions with keys and sessions of their own, between two events
// of the history, in less time than passes there. So it touches nothing else: the whole history has
// exactly its own anomalies and the added ones. No cycle leads through an added transaction and
// others, since these share no key with it and come before, after, or around all of it in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/generate/event_source.h"
#include "harness/inject/injectable.h"

namespace elapid {

/// What was put where.
struct Injected {
  std::string anomaly = {};      ///< Injectable::name
  AnomalySet types = {};         ///< Injectable::types
  std::int64_t first_index = 0;  ///< of its events, which follow one another
  std::int64_t last_index = 0;
  std::int64_t first_process = 0;  ///< its processes and keys follow one another too
  std::int64_t processes = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;
};

struct InjectorOptions {
  std::uint64_t seed = 0;
  /// About how many events the history has. Injections are spread over so many evenly at random,
  /// one behind an event; those that are left when it ends come then.
  std::uint64_t events = 0;
  bool timestamps = false;  ///< transactions tell them
};

class Injector : public EventSource {
 public:
  /// Hands on the events of `source`, which outlives it, with all of `wanted` among them.
  Injector(EventSource& source, std::vector<Injectable> wanted, const InjectorOptions& options);

  bool next(PlainEvent& event) override;

  /// In the order of the history. Complete when there are no more events.
  [[nodiscard]] const std::vector<Injected>& injected() const { return injected_; }

 private:
  /// Something of `wanted_`, which follows an event of the source.
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
  std::uint64_t handed_on_ = 0;  // events of the source
  std::int64_t index_ = 0;       // of the next event
  std::int64_t time_ = 0;        // of the source's last event
  bool has_room_ = true;         // nothing was injected behind that event
  bool is_over_ = false;         // the source has no more
  std::vector<Injected> injected_ = {};
  const Injectable* what_ = nullptr;  // the last of injected_, in wanted_
  std::size_t told_ = 0;              // events of the last of injected_
  bool is_telling_ = false;           // that one has more
  std::vector<PlainMop> mops_ = {};
  std::vector<PlainRowOp> row_ops_ = {};
  std::vector<std::int64_t> elements_ = {};
};

/// As a JSON document: an array of `{"anomaly": ..., "also": [...], "events": [first, last],
/// "processes": [...], "keys": [...]}`, a line each. `also`: what no history has the anomaly
/// without.
[[nodiscard]] std::string to_json(const std::vector<Injected>& injected);

}  // namespace elapid
