#include "adapter/elle/result_map.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "adapter/elle/anomaly_entry.h"
#include "adapter/elle/ladder_text.h"
#include "adapter/elle/verdict_view.h"
#include "engine/ir/utf8.h"
#include "engine/verdict/timestamp_names.h"

namespace elapid {
namespace {

using Kind = ResultValue::Kind;

class ValueWriter {
 public:
  ValueWriter(DocumentWriter& out, const History& history, const EventFieldsFn& fields)
      : out_(out), history_(history), fields_(fields) {}

  void write(const ResultValue& value) {
    switch (value.kind) {
      case Kind::kNil:
        return out_.nil();
      case Kind::kBoolean:
        return out_.boolean(value.integer != 0);
      case Kind::kInteger:
        return out_.integer(value.integer);
      case Kind::kString:
        return out_.string(value.text);
      case Kind::kKeyword:
        return out_.keyword(value.text);
      case Kind::kForm:
        return out_.form(value.text);
      case Kind::kValue:
        return write_value(out_, history_, value.value);
      case Kind::kEvent:
        return write_operation(value);
      case Kind::kVector:
        return write_all(Container::kVector, value);
      case Kind::kList:
        return write_all(Container::kList, value);
      case Kind::kSet:
        return write_all(Container::kSet, value);
      case Kind::kMap:
        return write_all(Container::kMap, value);
    }
  }

 private:
  void write_all(Container container, const ResultValue& value) {
    out_.open(container);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const ResultValue& item = value.items[i];
      const bool is_key = container == Container::kMap && i % 2 == 0;
      if (is_key && item.kind == Kind::kKeyword) {
        out_.key(item.text);
      } else {
        write(item);
      }
    }
    out_.close();
  }

  void write_operation(const ResultValue& value) {
    EventStyle style = {.has_value = value.integer == 0};
    style.write_more = [&] {
      for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        out_.key(value.items[i].text);
        write(value.items[i + 1]);
      }
    };
    write_event_with(out_, history_, value.ref, fields_, style,
                     [&] { write_event_ops(out_, history_, value.ref); });
  }

  DocumentWriter& out_;
  const History& history_;
  const EventFieldsFn& fields_;
};

void write_numbers(DocumentWriter& out, const NumberLists& lists) {
  out.each(lists, [&](const std::vector<std::int64_t>& list) {
    out.each(list, [&](std::int64_t number) { out.integer(number); });
  });
}

/// Writes the entries into the open map. A string that exceeds its share of `max_bytes` is
/// shortened.
void write_entries(DocumentWriter& out, const History& history, const Verdict& verdict,
                   const EventFieldsFn& fields, std::size_t max_bytes) {
  for (const ResultEntry& entry : verdict.entries) {
    out.key(entry.key);
    if (const auto* number = std::get_if<std::int64_t>(&entry.value)) {
      out.integer(*number);
    } else if (const auto* lists = std::get_if<NumberLists>(&entry.value)) {
      write_numbers(out, *lists);
    } else if (const auto* value = std::get_if<ResultValue>(&entry.value)) {
      ValueWriter(out, history, fields).write(*value);
    } else {
      const std::size_t share = max_bytes / verdict.entries.size();
      out.string(shortened(std::get<std::string>(entry.value), share));
    }
  }
}

// Columns at which further entries begin, each on a line of its own.
constexpr std::size_t kKeyColumn = 1;
constexpr std::size_t kTypeColumn = 13;
constexpr std::size_t kEntryColumn = 15;

void write_validity(DocumentWriter& out, Validity validity) {
  out.key("valid?");
  write_truth(out, validity);
}

void write_anomaly_types(DocumentWriter& out, std::span<const Anomaly> anomalies) {
  out.key("anomaly-types").open(Container::kList);
  while (!anomalies.empty()) {
    out.keyword(name(anomalies.front().type));
    anomalies = anomalies.subspan(first_of_type(anomalies).size());
  }
  out.close();
}

/// The number of omitted anomalies of a type.
struct Omitted {
  AnomalyType type;
  std::size_t count = 0;
};

/// Writes the anomalies of one type that fit, and returns the number of the others.
std::size_t write_run(DocumentWriter& out, const History& history, std::span<const Anomaly> run,
                      const EventFieldsFn& fields, std::size_t max_bytes) {
  const std::size_t begin = out.size();
  out.open(Container::kVector, kEntryColumn);
  for (std::size_t i = 0; i < run.size(); ++i) {
    const DocumentWriter::Mark before = out.mark();
    write_anomaly_entry(out, history, run[i], fields);
    if (out.size() - begin > max_bytes) {
      out.rewind(before);
      out.close();
      return run.size() - i;
    }
  }
  out.close();
  return 0;
}

std::size_t type_count(std::span<const Anomaly> anomalies) {
  std::size_t count = 0;
  for (; !anomalies.empty(); ++count) {
    anomalies = anomalies.subspan(first_of_type(anomalies).size());
  }
  return count;
}

/// Writes anomalies type by type. A type leaves the unused part of its share to the next types.
std::vector<Omitted> write_anomalies(DocumentWriter& out, const History& history,
                                     std::span<const Anomaly> anomalies,
                                     const EventFieldsFn& fields, std::size_t max_bytes) {
  std::vector<Omitted> omitted;
  std::size_t types = type_count(anomalies);
  const std::size_t begin = out.size();
  out.key("anomalies").open(Container::kMap, kTypeColumn);
  for (; !anomalies.empty(); --types) {
    const std::span<const Anomaly> run = first_of_type(anomalies);
    anomalies = anomalies.subspan(run.size());
    out.key(name(run.front().type));
    if (std::holds_alternative<EmptyGraphEvidence>(run.front().evidence)) {
      write_anomaly_entry(out, history, run.front(), fields);
      continue;
    }
    const std::size_t left = max_bytes - std::min(max_bytes, out.size() - begin);
    if (const std::size_t count = write_run(out, history, run, fields, left / types)) {
      omitted.push_back({.type = run.front().type, .count = count});
    }
  }
  out.close();
  return omitted;
}

void write_omitted(DocumentWriter& out, const std::vector<Omitted>& omitted) {
  if (omitted.empty()) {
    return;
  }
  out.key("elapid/omitted").open(Container::kMap);
  for (const Omitted& some : omitted) {
    out.key(name(some.type)).integer(some.count);
  }
  out.close();
}

void write_strings(DocumentWriter& out, std::string_view key,
                   const std::vector<std::string>& texts) {
  out.key(key).strings(texts);
}

/// Writes the definitions of the levels that were decided, since names have several meanings.
void write_definitions(DocumentWriter& out, ModelSet models) {
  const ModelSet defined =
      models.filter([](Model model) { return order_level(model).has_value(); });
  if (defined.none()) {
    return;
  }
  out.key("elapid/definitions").open(Container::kMap);
  for (const Model model : defined) {
    const OrderLevel level = order_level(model).value();
    const ModelDescription description = describe(model);
    std::string text =
        std::string(description.definition) + " (" + std::string(description.source) + "; ";
    text += level.sessions ? "with session order" : "without session order";
    text += level.real_time ? " and real time)" : ")";
    out.key(friendly_name(model)).string(text);
  }
  out.close();
}

/// Writes the assumptions: those that certify needs, and those of the reader.
void write_assumptions(DocumentWriter& out, const History& history,
                       const Assumptions& assumptions) {
  out.key("elapid/assumptions").open(Container::kMap);
  out.key("wfr-keys?").boolean(assumptions.wfr_keys);
  out.key("sequential-keys?").boolean(assumptions.sequential_keys);
  out.key("linearizable-keys?").boolean(assumptions.linearizable_keys);
  out.key("elle-compat?").boolean(assumptions.elle_compat);
  out.key("initial");
  write_value(out, history, history.info().initial);
  if (!assumptions.transaction_order.empty() || assumptions.order_is_empty) {
    out.key("transaction-order").open(Container::kMap);
    for (const auto& [completion_index, place] : assumptions.transaction_order) {
      out.integer(completion_index);
      out.integer(place);
    }
    out.close();
  }
  if (!history.info().assumptions.empty()) {
    write_strings(out, "reader", history.info().assumptions);
  }
  out.close();
}

void write_counts(DocumentWriter& out, const History& history) {
  const HistorySize size = history.size_read();
  const auto write = [&](std::string_view key, std::uint64_t count) {
    out.key(key).integer(count);
  };
  const auto with = [&](TxnStatus status) {
    return size.by_status.at(static_cast<std::size_t>(status));
  };
  out.key("elapid/counts").open(Container::kMap);
  write("transactions", size.transactions());
  write("committed", with(TxnStatus::kCommitted));
  write("aborted", with(TxnStatus::kAborted));
  write("indeterminate", with(TxnStatus::kIndeterminate));
  write("operations", size.operations);
  write("keys", size.keys);
  write("sessions", size.sessions);
  write("events", size.events);
  out.close();
}

void write_violation_counts(DocumentWriter& out, const std::vector<LevelAnswer>& levels) {
  if (levels.empty()) {
    return;
  }
  out.key("elapid/violations").open(Container::kMap);
  for (const LevelAnswer& level : levels) {
    out.key(friendly_name(level.model)).integer(level.violations);
  }
  out.close();
}

/// Writes how often each axiom is violated, and the origins of values that violate :ext.
void write_axiom_counts(DocumentWriter& out, const TimestampCounts& counts) {
  const auto write = [&](std::string_view key, std::uint64_t count) {
    out.key(key).integer(count);
  };
  out.key("elapid/violations").open(Container::kMap);
  for (std::size_t a = 0; a < kTimestampAxiomCount; ++a) {
    write(name(static_cast<TimestampAxiom>(a)), counts.by_axiom.at(a));
  }
  out.key("ext-origins").open(Container::kMap);
  for (std::size_t o = 0; o < kReadOriginCount; ++o) {
    if (counts.by_origin.at(o) > 0) {
      write(name(static_cast<ReadOrigin>(o)), counts.by_origin.at(o));
    }
  }
  out.close();
  write("within-clock-skew", counts.within_clock_skew);
  out.close();
}

/// Writes how many transactions asked for each level.
void write_mix(DocumentWriter& out, const MixAnswer& mix) {
  out.key("elapid/by-transaction").open(Container::kMap);
  for (const auto& [model, count] : mix.counts) {
    out.key(friendly_name(model)).integer(count);
  }
  out.close();
}

void write_own_keys(DocumentWriter& out, const History& history, const Verdict& verdict) {
  out.key("elapid/engine").keyword(verdict.engine);
  if (!verdict.findings.empty()) {
    out.key("elapid/findings")
        .each(Container::kList, verdict.findings,
              [&](const Description& finding) { out.keyword(finding.name); });
  }
  write_models(out, "elapid/models", verdict.checked);
  if (is_mix(verdict)) {
    write_mix(out, *verdict.mix);
  }
  write_definitions(out, verdict.checked);
  if (!verdict.timestamps) {  // timestamps have counts of their own
    write_violation_counts(out, counted_levels(verdict));
  }
  if (!verdict.ladder.empty()) {
    write_ladder(out, "elapid/", verdict.ladder);
  }
  out.key("elapid/complete?").boolean(verdict.complete);
  write_assumptions(out, history, verdict.assumptions);
  write_counts(out, history);
  if (verdict.timestamps) {
    write_axiom_counts(out, *verdict.timestamps);
  }
  if (verdict.cross_check) {
    out.key("elapid/cross-check");
    write_truth(out, *verdict.cross_check);
  }
  if (verdict.elle_error) {
    out.key("elapid/error").string(*verdict.elle_error);
  }
  if (verdict.unknown_because) {
    out.key("elapid/unknown-because").string(*verdict.unknown_because);
  }
  if (!verdict.warnings.empty()) {
    write_strings(out, "elapid/warnings", verdict.warnings);
  }
}

}  // namespace

std::string result_map(const History& history, const Verdict& verdict, Syntax syntax,
                       const EventFieldsFn& fields, std::size_t max_bytes) {
  const bool valid = verdict.validity == Validity::kValid;
  DocumentWriter out(syntax);
  out.open(Container::kMap, kKeyColumn);
  write_validity(out, verdict.validity);
  write_entries(out, history, verdict, fields, max_bytes);
  std::vector<Omitted> omitted;
  if (!valid &&
      (verdict.entries.empty() || !verdict.anomalies.empty() || history.workload().has_levels())) {
    write_anomaly_types(out, verdict.anomalies);
    omitted = write_anomalies(out, history, verdict.anomalies, fields, max_bytes);
    write_models(out, "not", verdict.not_models);
    write_models(out, "also-not", verdict.also_not_models);
  }
  if (!valid || !verdict.assumptions.elle_compat) {
    write_own_keys(out, history, verdict);
    write_omitted(out, omitted);
  }
  out.close();
  return std::move(out).take();
}

}  // namespace elapid
