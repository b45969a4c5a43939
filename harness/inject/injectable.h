// The anomalies that can be put into a history, by name: an anomaly (`G-single`), a violation of an
// axiom of timestamps (`noconflict`), or a history between two levels (`cause-unseen`, see
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
  /// Of rows: what each event of `history` does, which tells types and processes alone.
  std::vector<SketchedRowEvent> rows = {};
  /// The anomalies that strict serializability finds in it; of a violation of timestamps, and of
  /// what lies between levels, none are known.
  AnomalySet types = {};
  /// Of each transaction, where timestamps are what is wrong; otherwise empty.
  std::vector<PlainTimestamps> timestamps = {};
  /// `:isolation` of each transaction, where they ask for levels of their own; otherwise empty.
  std::vector<PlainField> levels = {};
};

/// Lets the transactions of `one` ask for the lowest of these levels at which it is wrong, or for
/// strict serializability; the levels go from weak to strong. False where it is wrong at none, as
/// what timestamps alone show.
[[nodiscard]] bool ask_for_levels(std::span<const Model> levels, Injectable& one);

/// All names that a workload can show: anomalies first.
[[nodiscard]] std::vector<std::string_view> injectable_names(Workload workload);

/// Takes `NAME:COUNT,NAME,...`; without a count once. Names of anomalies may begin with a colon,
/// and are meant on items: `G-single` is `G-single-item`; but for rows, which are found by
/// predicates. Error: kUsage for an unknown name, or
/// that the workload cannot show, and for what is no count.
[[nodiscard]] Result<std::vector<Injectable>> parse_injections(std::string_view text,
                                                               Workload workload);

}  // namespace elapid
