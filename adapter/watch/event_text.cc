#include "adapter/watch/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "engine/ir/json_string.h"
#include "engine/ir/matched_list.h"
#include "engine/levels/validity.h"
#include "engine/verdict/timestamp_names.h"

namespace elapid {

namespace {

using OriginNames = std::array<std::string_view, kReadOriginCount>;
/// If old versions are forgotten, and each event is final at once, the origin of a value whose
/// writer is not certain is `unknown`, not `nowhere`.
constexpr OriginNames kSortedOrigins = {"before",  "uncommitted", "after",  "intermediate",
                                        "aborted", "own-future",  "unknown"};

std::string_view name_of(OnlineEvent::Kind kind) {
  switch (kind) {
    case OnlineEvent::Kind::kProvisional:
      return "provisional";
    case OnlineEvent::Kind::kRetracted:
      return "retracted";
    case OnlineEvent::Kind::kFinal:
      return "final";
    case OnlineEvent::Kind::kLate:
      return "late";
  }
  return "";
}

/// The type of a violation in `elapid check`; nothing if the deciding facts may be forgotten.
std::optional<AnomalyType> type_of(const OnlineEvent& event, const OnlineEventStyle& style) {
  const TimestampAxiom axiom = event.name.axiom;
  const ReadOrigin origin = event.facts.origin;
  const bool is_unwritten = axiom == TimestampAxiom::kExt && origin == ReadOrigin::kNowhere;
  const bool hangs_on_others =
      axiom == TimestampAxiom::kNoConflict ||
      (axiom == TimestampAxiom::kExt && origin == ReadOrigin::kBefore && !event.facts.depends);
  if (style.is_sorted && (is_unwritten || (hangs_on_others && !event.facts.depends))) {
    return std::nullopt;
  }
  return anomaly_type({.axiom = axiom,
                       .at_commit = style.at_commit,
                       .origin = origin,
                       .depends = event.facts.depends});
}

class EventLine {
 public:
  EventLine(std::string& out, const OnlineEvent& event, const AtomTable& atoms,
            const OnlineEventStyle& style)
      : out_(out), event_(event), atoms_(atoms), style_(style) {}

  void write() {
    out_ += R"({"event":")";
    out_ += name_of(event_.kind);
    out_ += '"';
    if (event_.number > 0) {
      out_ += R"(,"n":)" + std::to_string(event_.number);
    }
    if (event_.kind == OnlineEvent::Kind::kLate) {
      out_ += event_.stands ? R"(,"stands":true)" : R"(,"stands":false)";
    }
    write("axiom", kTimestampAxiomNames.at(index(event_.name.axiom)));
    const bool is_settled =
        event_.kind == OnlineEvent::Kind::kFinal || event_.kind == OnlineEvent::Kind::kLate;
    if (const auto type = type_of(event_, style_); is_settled && type) {
      write("anomaly", name(*type));
    }
    write("txn", event_.name.txn);
    write_place();
    write_read(is_settled);
    if (is_settled && event_.facts.within_clock_skew) {
      out_ += R"(,"within-clock-skew":true)";
    }
    out_ += "}\n";
  }

 private:
  template <class Enum>
  static std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
  }

  void write_key(std::string_view key) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":";
  }

  /// Writes a word that needs no escapes.
  void write(std::string_view key, std::string_view word) {
    write_key(key);
    out_ += '"';
    out_ += word;
    out_ += '"';
  }

  void write(std::string_view key, Atom atom) {
    write_key(key);
    atoms_.append_json(out_, atom);
  }

  void write(std::string_view key, std::span<const Atom> list) {
    write_key(key);
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      out_ += i > 0 ? "," : "";
      atoms_.append_json(out_, list[i]);
    }
    out_ += ']';
  }

  void write_place() {
    if (!event_.facts.session.is_none()) {
      write("session", event_.facts.session);
    }
    if (!event_.name.key.is_none()) {
      write("key", event_.name.key);
    }
  }

  void write_read(bool is_settled) {
    const ViolationFacts& facts = event_.facts;
    const bool is_external = event_.name.axiom == TimestampAxiom::kExt;
    if (is_external || event_.name.axiom == TimestampAxiom::kInt) {
      write_key("mop");
      out_ += std::to_string(event_.name.mop);
      if (facts.is_list) {
        write("read", facts.list_read);
        write(facts.is_suffix ? "expected-end" : "expected", facts.list_expected);
      } else {
        write("read", facts.read);
        write("expected", facts.expected);
      }
    }
    if (is_external && !facts.expected_writer.is_none()) {
      write("expected-writer", facts.expected_writer);
    }
    if (is_external && is_settled) {
      write("origin",
            (style_.is_sorted ? kSortedOrigins : kReadOriginNames).at(index(facts.origin)));
    }
    if (!facts.other.is_none()) {
      write("other", facts.other);
    }
  }

  std::string& out_;
  const OnlineEvent& event_;
  const AtomTable& atoms_;
  const OnlineEventStyle& style_;
};

std::string time_json(const std::optional<Timestamp>& time) {
  if (!time || *time == Timestamp::last()) {
    return time ? R"("end")" : "null";
  }
  return time->logical == 0 ? std::to_string(time->physical)
                            : fmt::format(R"({{"p":{},"l":{}}})", time->physical, time->logical);
}

/// The counts above zero, by name.
template <std::size_t count>
std::string counts_json(const std::array<std::uint64_t, count>& counts,
                        const std::array<std::string_view, count>& names) {
  std::string out = "{";
  for (std::size_t i = 0; i < count; ++i) {
    if (counts.at(i) > 0) {
      out += fmt::format(R"({}"{}":{})", out.size() > 1 ? "," : "", names.at(i), counts.at(i));
    }
  }
  return out + "}";
}

/// The fields that progress and summary share.
std::string facts_json(const WatchFacts& state) {
  const OnlineCounts& counts = state.checker.counts();
  return fmt::format(
      R"("transactions":{},"operations":{},"duplicates":{},"late":{},"errors":{},"watermark":{})"
      R"(,"provisional":{},"flips":{})",
      counts.accepted, counts.operations, counts.duplicates, counts.late, state.errors,
      time_json(state.checker.watermark()), counts.provisional, counts.flips);
}

std::string doubt_of(const WatchFacts& state) {
  const OnlineCounts& counts = state.checker.counts();
  std::string doubt;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) {
      doubt += fmt::format("{}{} {}", doubt.empty() ? "" : "; ", count, what);
    }
  };
  if (counts.committed == 0) {
    doubt = "nothing committed";
  }
  add(counts.unplaced, "committed transactions without the timestamps they need");
  add(counts.claimed, "indeterminate transactions that say what they read");
  add(counts.tied, "reads of what several wrote at the very same time");
  add(counts.maybe, "reads of writes whose commit time is unknown");
  add(counts.disordered,
      "transactions whose place in their session is in doubt: without `seq`, and the starts say "
      "otherwise");
  add(state.checker.ledger().counts().within_clock_skew, "violations within the clock skew");
  add(state.errors, "lines that were not understood");
  return doubt;
}

std::uint64_t total(const TimestampCounts& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts.by_axiom) {
    sum += count;
  }
  return sum;
}

/// Whether a read is wrong whatever else was written: it lacks elements of a list.
bool lacks_elements(const ViolationFacts& facts) {
  const auto any_other = [](Atom) { return true; };
  return facts.is_list && match_list(facts.list_read, facts.list_expected, any_other).certain <
                              facts.list_expected.size();
}

/// The violations that decide nothing: those that clocks may explain, and reads of what lines that
/// were not understood may have written.
std::uint64_t count_undecided(const WatchFacts& state) {
  const auto& all = state.checker.ledger().all();
  return static_cast<std::uint64_t>(std::ranges::count_if(all, [&](const auto& violation) {
    const auto& [name, facts] = violation;
    const bool may_be_written =
        state.errors > 0 && name.axiom == TimestampAxiom::kExt && !lacks_elements(facts);
    return may_be_written || facts.within_clock_skew;
  }));
}

}  // namespace

void append_event(std::string& out, const OnlineEvent& event, const AtomTable& atoms,
                  const OnlineEventStyle& style) {
  EventLine(out, event, atoms, style).write();
}

void append_error(std::string& out, std::uint64_t line, std::string_view message) {
  out += fmt::format("{{\"event\":\"error\",\"line\":{},\"message\":{}}}\n", line,
                     json_quoted(message));
}

void append_notice(std::string& out, std::string_view message) {
  out += fmt::format("{{\"event\":\"notice\",\"message\":{}}}\n", json_quoted(message));
}

void append_initial_hint(std::string& out, const WatchFacts& state, const AtomTable& atoms,
                         std::string_view initial, std::string_view option) {
  // A forgotten transaction may have written the value.
  const std::optional<Atom> likely =
      state.is_sorted ? std::nullopt : state.checker.likely_initial();
  if (likely) {
    append_notice(out,
                  fmt::format("each read of a value that no transaction wrote shows {0}, and none "
                              "shows {1}: did you mean {2} {0}?",
                              atoms.json(*likely), initial, option));
  }
}

void append_progress(std::string& out, const WatchFacts& state) {
  out +=
      fmt::format("{{\"event\":\"progress\",{},\"violations\":{},\"valid?\":{}", facts_json(state),
                  state.checker.ledger().size(), truth_json(validity_of(state)));
  if (state.rate) {
    out += fmt::format(",\"rate\":{:.0f}", *state.rate);
  }
  if (state.memory) {
    out += fmt::format(",\"memory\":{}", *state.memory);
  }
  out += "}\n";
}

void append_summary(std::string& out, const WatchFacts& state, std::string_view level,
                    bool is_whole) {
  const TimestampCounts counts = state.checker.ledger().counts();
  out += fmt::format(
      "{{\"event\":\"summary\",\"valid?\":{},\"level\":\"{}\",\"whole\":{},{}"
      ",\"violations\":{},\"origins\":{}",
      truth_json(validity_of(state)), level, is_whole, facts_json(state),
      counts_json(counts.by_axiom, kTimestampAxiomNames),
      counts_json(counts.by_origin, state.is_sorted ? kSortedOrigins : kReadOriginNames));
  if (const std::string doubt = doubt_of(state); !doubt.empty()) {
    out += fmt::format(",\"doubt\":{}", json_quoted(doubt));
  }
  out += "}\n";
}

Validity validity_of(const WatchFacts& state) {
  const TimestampCounts counts = state.checker.ledger().counts();
  if (total(counts) > count_undecided(state)) {
    return Validity::kInvalid;
  }
  const bool is_certain =
      total(counts) == 0 && state.checker.counts().provisional == 0 && doubt_of(state).empty();
  return is_certain ? Validity::kValid : Validity::kUnknown;
}

}  // namespace elapid
