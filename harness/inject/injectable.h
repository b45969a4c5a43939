// The anomalies that can be injected into a history, by name: an anomaly (`G-single`), a violation
// of an axiom of timestamps (`noconflict`), or a history between two levels (`cause-unseen`, see
// separate/known_separators.h).
//
// ```cpp
// #include "harness/inject/injectable.h"
//
// const Result<std::vector<Injectable>> wanted =
//     parse_injections("G-single:3,lost-update", Workload::kRwRegister);
// REQUIRE(wanted.ok());
// CHECK(wanted.value().size() == 2);
// CHECK(wanted.value()[0].count == 3);
// CHECK(wanted.value()[0].types == AnomalySet{AnomalyType::kGSingleItem});
// ```
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "harness/inject/row_sketches.h"
#include "harness/sketch/tiny_history.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

struct Injectable {
  std::string name = {};
  std::uint64_t count = 1;
  TinyHistory history = {};
  /// For rows: the operations of each event of `history`, which has only types and processes.
  std::vector<SketchedRowEvent> rows = {};
  /// The anomalies that strict serializability finds in it. Empty for a violation of timestamps,
  /// and for a history between levels.
  AnomalySet types = {};
  /// The timestamps of each transaction, if the anomaly is one of timestamps; else empty.
  std::vector<PlainTimestamps> timestamps = {};
  /// `:isolation` of each transaction, if transactions ask for levels of their own; else empty.
  std::vector<PlainField> levels = {};
};

/// Sets the level that the transactions of `one` ask for: the lowest of these levels that it
/// violates, or strict serializability. `levels` go from weak to strong. False if it violates none,
/// as a violation that only timestamps show.
[[nodiscard]] bool ask_for_levels(std::span<const Model> levels, Injectable& one);

/// The names of all anomalies that a workload can show: anomalies first.
[[nodiscard]] std::vector<std::string_view> injectable_names(Workload workload);

/// Parses `NAME:COUNT,NAME,...`; the default count is 1. Names may begin with a colon. They mean
/// anomalies on items: `G-single` is `G-single-item`. For rows, which predicates find, they do
/// not. Error: kUsage for an unknown name, for one that the workload cannot show, and for a wrong
/// count.
[[nodiscard]] Result<std::vector<Injectable>> parse_injections(std::string_view text,
                                                               Workload workload);

}  // namespace elapid
