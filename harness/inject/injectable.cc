#include "harness/inject/injectable.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/integer_text.h"
#include "engine/ir/mapped.h"
#include "engine/verdict/timestamp_names.h"
#include "harness/inject/anomaly_sketches.h"
#include "harness/separate/known_separators.h"

namespace elapid {

namespace {

bool is_wrong(History& history, std::span<const Model> levels,
              const std::vector<std::size_t>& places) {
  TxnWords words;
  for (const std::size_t place : places) {
    words.push_back(words.number(friendly_name(levels[place])));
  }
  history.set_levels(std::move(words));
  const Result<Verdict> verdict =
      check(history, {.by_transaction = true, .minimal_proofs = false, .certify = false});
  return verdict && verdict.value().validity == Validity::kInvalid;
}

/// The lowest levels by transaction at which a small history is still wrong. Example: `wx1 wy1; rx1
/// ry_` is wrong if the second transaction is at read atomic, whatever the level of the first.
///
/// For each transaction, in order of invocations, its index in `levels`, which ascend. At these
/// levels the history is wrong; with one of them lowered it is not shown to be wrong. Empty if it
/// is not shown to be wrong even at the last level. Requires that all transactions have
/// invocations. Calls check() for each transaction and level.
std::vector<std::size_t> lowest_wrong_levels(History history, std::span<const Model> levels) {
  std::vector<std::size_t> places(history.txn_count(), levels.size() - 1);
  if (places.empty() || !is_wrong(history, levels, places)) {
    return {};
  }
  for (std::size_t& place : places) {
    const std::size_t strongest = place;
    for (place = 0; place < strongest && !is_wrong(history, levels, places);) {
      ++place;
    }
  }
  std::vector<TxnId> order(history.txn_count());
  for (std::size_t t = 0; t < order.size(); ++t) {
    order[t] = TxnId{static_cast<std::uint32_t>(t)};
  }
  std::ranges::sort(order, {}, [&](TxnId txn) { return history.invocation_id(txn); });
  return mapped<std::size_t>(order, [&](TxnId txn) { return places[txn.index()]; });
}

std::string_view sketch_of(const auto& entry, Workload workload) {
  return workload.has_lists() ? entry.lists : entry.registers;
}

/// The class of cycles on items: all operations are on items.
AnomalyType on_items(AnomalyType type) {
  const std::string of_items = [&] {
    constexpr std::string_view kItem = "-item";
    std::string text(name(type));
    for (const std::string_view class_name : {"G-single", "G-nonadjacent", "G2"}) {
      if (text.starts_with(class_name) && !text.substr(class_name.size()).starts_with(kItem)) {
        return text.insert(class_name.size(), kItem);
      }
    }
    return text;
  }();
  return find_anomaly(of_items).value_or(type);
}

Injectable of(const AnomalySketch& sketch, Workload workload) {
  AnomalySet types =
      workload.has_lists() ? sketch.companions_in_lists : sketch.companions_in_registers;
  types.set(sketch.type);
  return {.name = std::string(name(sketch.type)),
          .history = parse_tiny(workload, sketch_of(sketch, workload)),
          .types = types};
}

Injectable of(const TimestampSketch& sketch, Workload workload) {
  Injectable injectable{.name = std::string(name(sketch.axiom)),
                        .history = parse_tiny(workload, sketch_of(sketch, workload))};
  const auto txns =
      std::ranges::count(injectable.history.events, EventType::kInvoke, &TinyEvent::type);
  injectable.timestamps.assign(sketch.timestamps.begin(), sketch.timestamps.begin() + txns);
  return injectable;
}

/// Nothing if no anomaly has the name; an empty history if the workload cannot show it.
std::optional<Injectable> anomaly_called(std::string_view name, Workload workload) {
  const std::optional<AnomalyType> type = find_anomaly(name);
  if (!type) {
    return std::nullopt;
  }
  const AnomalySketch* sketch = find_sketch(on_items(*type));
  const bool is_shown = sketch != nullptr && !sketch_of(*sketch, workload).empty();
  return is_shown ? of(*sketch, workload) : Injectable{.name = std::string(name)};
}

std::optional<Injectable> axiom_called(std::string_view called, Workload workload) {
  const auto found = std::ranges::find(timestamp_sketches(), called,
                                       [](const auto& sketch) { return name(sketch.axiom); });
  return found == timestamp_sketches().end() ? std::nullopt : std::optional(of(*found, workload));
}

std::optional<Injectable> separator_called(std::string_view name, Workload workload) {
  const auto found = std::ranges::find(known_separators(), name, &KnownSeparator::name);
  if (found == known_separators().end()) {
    return std::nullopt;
  }
  const bool is_shown = found->has_lists == workload.has_lists();
  return Injectable{.name = std::string(name),
                    .history = is_shown ? history_of(*found) : TinyHistory()};
}

/// The anomaly of rows with this name; nothing if there is no such sketch.
std::optional<Injectable> of_rows_called(std::string_view name) {
  const RowSketch* const sketch = find_row_sketch(name);
  if (sketch == nullptr) {
    return std::nullopt;
  }
  Injectable injectable = {.name = std::string(name), .types = sketch->types};
  injectable.rows = parse_row_sketch(sketch->text);
  injectable.history.model = Workload::kRows;
  for (const SketchedRowEvent& event : injectable.rows) {
    injectable.history.events.push_back({.type = event.type, .process = event.process});
  }
  return injectable;
}

std::optional<Injectable> of_operations_called(std::string_view name, Workload workload) {
  std::optional<Injectable> found = anomaly_called(name, workload);
  found = found ? found : axiom_called(name, workload);
  return found ? found : separator_called(name, workload);
}

Result<Injectable> injectable_called(std::string_view name, Workload workload) {
  std::optional<Injectable> found =
      workload == Workload::kRows ? of_rows_called(name) : of_operations_called(name, workload);
  if (!found) {
    std::string names;
    for (const std::string_view known : injectable_names(workload)) {
      names += (names.empty() ? "" : ", ") + std::string(known);
    }
    return usage_error("there is no anomaly " + std::string(name) +
                       "; these can be injected into " + std::string(workload.name()) + ": " +
                       names);
  }
  if (found->history.events.empty()) {
    return usage_error(std::string(name) + " cannot be injected into " +
                       std::string(workload.name()) +
                       ": no history of it is known to show that alone");
  }
  return *std::move(found);
}

}  // namespace

std::vector<std::string_view> injectable_names(Workload workload) {
  std::vector<std::string_view> names;
  if (workload == Workload::kRows) {
    std::ranges::transform(row_sketches(), std::back_inserter(names), &RowSketch::name);
    return names;
  }
  for (const AnomalySketch& sketch : anomaly_sketches()) {
    if (!sketch_of(sketch, workload).empty()) {
      names.push_back(name(sketch.type));
    }
  }
  for (const TimestampSketch& sketch : timestamp_sketches()) {
    names.push_back(name(sketch.axiom));
  }
  for (const KnownSeparator& known : known_separators()) {
    if (known.has_lists == workload.has_lists() && !find_anomaly(known.name)) {
      names.push_back(known.name);
    }
  }
  return names;
}

bool ask_for_levels(std::span<const Model> levels, Injectable& one) {
  if (!one.timestamps.empty() || !one.rows.empty()) {
    return false;
  }
  std::vector<Model> models(levels.begin(), levels.end());
  models.push_back(Model::kPlSs);
  for (const std::size_t place : lowest_wrong_levels(build(one.history), models)) {
    one.levels.push_back({"isolation", PlainTree::keyword(friendly_name(models[place]))});
  }
  return !one.levels.empty();
}

Result<std::vector<Injectable>> parse_injections(std::string_view text, Workload workload) {
  std::vector<Injectable> injections;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    item.remove_prefix(std::min(item.find_first_not_of(" :"), item.size()));
    const std::size_t colon = item.find(':');
    ELAPID_ASSIGN_OR_RETURN(Injectable found, injectable_called(item.substr(0, colon), workload));
    if (colon != std::string_view::npos) {
      const std::string_view count = item.substr(colon + 1);
      found.count = integer_of<std::size_t>(count).value_or(0);
      if (found.count == 0) {
        return usage_error("expected how often to inject " + found.name + ", found '" +
                           std::string(count) + "'");
      }
    }
    injections.push_back(std::move(found));
    if (comma == std::string_view::npos) {
      return injections;
    }
    text.remove_prefix(comma + 1);
  }
}

}  // namespace elapid
