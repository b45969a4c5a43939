// The words for anomalies that are not cycles, in the manner of Elle's for cycles: what was done,
// and why that cannot be.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "adapter/elle/anomaly_entry.h"
#include "adapter/elle/paragraph.h"
#include "adapter/elle/step_text.h"

namespace elapid {
namespace {

constexpr std::size_t kMaxNamed = 8;      // of transactions, versions, ... in one sentence
constexpr std::size_t kMaxClauses = 12;   // of a proof
constexpr std::size_t kMaxSearched = 20;  // transactions that have no order

/// `a`, `a and b`, `a, b and c`; or `a, b and 5 more` for those left out.
std::string enumeration(std::vector<std::string> items, std::size_t left_out) {
  if (left_out > 0) {
    items.push_back(fmt::format("{} more", left_out));
  }
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) {
      text += i + 1 == items.size() ? " and " : ", ";
    }
    text += items[i];
  }
  return text;
}

/// Builds the paragraph of one piece of evidence; a method a kind.
class ParagraphBuilder {
 public:
  ParagraphBuilder(const History& history, AnomalyType type, const ParagraphOptions& options)
      : history_(history), type_(type), options_(options) {}

  Paragraph operator()(const CycleEvidence& evidence) {
    if (!evidence.is_inferred) {
      return cycle_paragraph(history_, evidence.steps, options_);
    }
    explain_proof(evidence.because);
    claim("However, {}: a contradiction!", chain(evidence.steps));
    return take();
  }

  Paragraph operator()(const ReadEvidence& evidence) {
    const EventRef reader = representative_ref(history_, evidence.reader);
    const Op read = event_ops(history_, reader)[evidence.mop];
    const std::string element = history_.text(evidence.element);
    const std::string key = history_.key_text(read.key());
    const std::string t1 = actor(reader, Focus{evidence.mop, evidence.element});
    if (type_ == AnomalyType::kFutureRead) {
      focus_on_write(reader, read.key(), evidence.element);
      claim("{} wrote {} to key {}.", t1, element, key);
      claim("However, {} had read {} from key {} before: a read from the future!", t1, element,
            key);
    } else if (!evidence.writer) {
      claim("No transaction ever wrote {} to key {}, not even an aborted one.", element, key);
      claim("However, {} read {} from key {}: a read of a value from nowhere!", t1, element, key);
    } else {
      const std::string t2 = actor(*evidence.writer, std::nullopt);
      focus_on_write(*evidence.writer, read.key(), evidence.element);
      explain_writer(t1, t2, element, key, read);
    }
    return take();
  }

  Paragraph operator()(const InternalEvidence& evidence) {
    const EventRef event = representative_ref(history_, evidence.txn);
    const std::span<const Op> ops = event_ops(history_, event);
    const Op read = ops[evidence.mop];
    const std::string t1 = actor(event, Focus{evidence.mop});
    for (std::uint32_t mop = 0; mop < evidence.mop; ++mop) {
      if (ops[mop].key() == read.key()) {
        actor(event, Focus{mop});
      }
    }
    claim("By its own earlier operations, {} must read key {} {}.", t1,
          history_.key_text(read.key()), expectation(evidence.expected));
    claim("However, {} read {}: it contradicts itself!", t1, value_text(read, ValueId::none()));
    return take();
  }

  Paragraph operator()(const DuplicateElementsEvidence& evidence) {
    const EventRef event = representative_ref(history_, evidence.txn);
    for (const auto& [element, count] : first_few(evidence.counts)) {
      actor(event, Focus{evidence.mop, element});
    }
    claim("Each element is appended once, so no list can hold it twice.");
    claim("However, {} read key {} with {}: duplicate elements!", actor(event, Focus{evidence.mop}),
          history_.key_text(event_ops(history_, event)[evidence.mop].key()),
          enumerated(evidence.counts, [&](const auto& duplicate) {
            return fmt::format("{} ({} times)", history_.text(duplicate.first), duplicate.second);
          }));
    return take();
  }

  Paragraph operator()(const IncompatibleOrderEvidence& evidence) {
    const Op first = event_ops(history_, evidence.first_reader)[evidence.first_mop];
    const Op second = event_ops(history_, evidence.second_reader)[evidence.second_mop];
    const auto [first_focus, second_focus] = first_difference(first, second);
    const std::string key = history_.key_text(evidence.key);
    const std::string t1 = actor(evidence.first_reader, Focus{evidence.first_mop, first_focus});
    const std::string t2 = actor(evidence.second_reader, Focus{evidence.second_mop, second_focus});
    claim("{} read key {} = {}.", t1, key, value_text(first, first_focus));
    claim(
        "However, {} read key {} = {}: neither is a prefix of the other, so no order of appends "
        "explains both!",
        t2, key, value_text(second, second_focus));
    return take();
  }

  Paragraph operator()(const DirtyUpdateEvidence& evidence) {
    const EventRef aborted = representative_ref(history_, evidence.aborted);
    const EventRef committed = representative_ref(history_, evidence.committed);
    const std::string key = history_.key_text(evidence.key);
    const std::string t1 = actor(aborted, std::nullopt);
    const std::string t2 = actor(committed, std::nullopt);
    for (const ValueId value : evidence.values) {
      focus_on_write(aborted, evidence.key, value);
      focus_on_write(committed, evidence.key, value);
    }
    claim("{} appended to key {}, and was aborted.", t1, key);
    claim(
        "However, {} committed an append to key {} on top of it, as the elements {} show: an "
        "update "
        "of an aborted state!",
        t2, key, list_text(evidence.values, ValueId::none()));
    return take();
  }

  Paragraph operator()(const LostUpdateEvidence& evidence) {
    const EventRef first = representative_ref(history_, evidence.txns.front());
    const Op read = event_ops(history_, first)[evidence.mop];
    const std::string key = history_.key_text(evidence.key);
    const std::string names = enumerated(evidence.txns, [&](TxnId txn) {
      return add_updater(representative_ref(history_, txn), evidence.key);
    });
    claim("{} each read key {} = {}, and then wrote key {}.", names, key,
          value_text(read, ValueId::none()), key);
    claim("However, only one of these writes can directly follow that version: lost updates!");
    return take();
  }

  Paragraph operator()(const CyclicVersionsEvidence& evidence) {
    claim("The versions of key {} are ordered by {}.", history_.key_text(evidence.key),
          enumerated(evidence.sources, [](VersionSource source) { return name(source); }));
    claim("However, by these {} each come before all the others: a contradiction!",
          enumerated(evidence.versions, [&](ValueId value) { return history_.text(value); }));
    return take();
  }

  Paragraph operator()(const CycleExistsEvidence& evidence) {
    if (!evidence.walk.empty()) {
      return cycle_paragraph(history_, evidence.walk, options_);
    }
    if (!evidence.because.empty()) {
      explain_proof(evidence.because);
      claim("However, that leaves no choice: a contradiction!");
      return take();
    }
    claim("Under {}, the dependencies among the transactions at index {} must have an order.",
          friendly_name(evidence.model), enumerated(evidence.component, [&](TxnId txn) {
            return fmt::to_string(history_.representative(txn).index);
          }));
    claim("However, they run in a cycle: a contradiction!");
    return take();
  }

  Paragraph operator()(const NoOrderEvidence& evidence) {
    const ExhaustedSearch& search = evidence.search;
    std::vector<TxnId> shown = search.txns;
    if (!options_.full && shown.size() > kMaxSearched) {
      shown.resize(kMaxSearched);
    }
    claim("Under {}, the {} of {} at index {}{} must have an order.", friendly_name(evidence.model),
          counted(search.txns.size(), "transaction"), counted(search.sessions, "session"),
          enumerated(shown,
                     [&](TxnId txn) { return fmt::to_string(history_.representative(txn).index); }),
          shown.size() < search.txns.size() ? ", ..." : "");
    if (search.states == 0) {
      claim("However, what they read rules out any: a contradiction!");
    } else {
      claim(
          "However, all were tried, through {}, and none lets each read return what it did: a "
          "contradiction! (Only another search could certify that.)",
          counted(search.states, "state"));
    }
    return take();
  }

  Paragraph operator()(const SearchTimeoutEvidence& evidence) {
    claim("A component of {} transactions has cycles; the search for {} in it ran out of budget.",
          evidence.component_size, elapid::name(evidence.searching));
    if (!evidence.does_not_contain.empty()) {
      claim("Before that, {} had been excluded.",
            enumerated(evidence.does_not_contain,
                       [](AnomalyType type) { return elapid::name(type); }));
    }
    return take();
  }

  Paragraph operator()(const TimestampEvidence& evidence) {
    return timestamp_paragraph(history_, evidence, options_);
  }

  Paragraph operator()(const EmptyGraphEvidence& /*evidence*/) {
    claim("No transaction depends on another: there was nothing to search for cycles.");
    return take();
  }

 private:
  /// As `1 state` or `2 states`.
  [[nodiscard]] static std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  /// What was proved on the way, one sentence a clause; of long proofs the end.
  void explain_proof(const std::vector<ProvedChoice>& proof) {
    const std::size_t left_out =
        options_.full || proof.size() <= kMaxClauses ? 0 : proof.size() - kMaxClauses;
    if (left_out > 0) {
      claim("{} steps come before (--full or --certificate shows them).", left_out);
    }
    for (const ProvedChoice& proved : std::span(proof).subspan(left_out)) {
      if (proved.clause.empty()) {
        continue;
      }
      std::string choices;
      for (const Choice& choice : proved.clause) {
        choices += (choices.empty() ? "" : ", or ") + words(choice);
      }
      if (proved.steps.empty()) {
        claim("Hence {}.", choices);
      } else {
        claim("{}: otherwise {}.", choices, chain(proved.steps));
      }
    }
  }

  /// `T1 < T2, because ...; T2 < T1, because ...`
  std::string chain(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
      const std::string a = step_actor(step.from, step.from_mop);
      const std::string b = step_actor(step.to, step.to_mop);
      text += fmt::format("{}{} < {}, because {}", text.empty() ? "" : "; ", a, b,
                          step_reason(history_, step, a, b));
    }
    return text;
  }

  std::string step_actor(TxnId txn, std::int32_t mop) {
    const bool is_shown = mop >= 0 && !history_.differing_invocation(txn);
    return actor(representative_ref(history_, txn),
                 is_shown ? std::optional(Focus{static_cast<std::uint32_t>(mop)}) : std::nullopt);
  }

  [[nodiscard]] bool reads_registers(TxnId txn) const {
    return std::ranges::any_of(history_.ops(txn), [](Op op) {
      return op.kind() == OpKind::kRead && !op.value().is_nil();
    });
  }

  std::string words(const Choice& choice) {
    const std::string first = step_actor(choice.first, -1);
    switch (choice.kind) {
      case Choice::Kind::kBefore:
        return fmt::format("{} wrote before {}", first, step_actor(choice.second, -1));
      case Choice::Kind::kReads:
        if (choice.length > 0 && reads_registers(choice.first)) {
          return fmt::format(
              "read {} of key {} by {} {} what {} left", choice.length + 1,
              history_.key_text(choice.key), first, choice.holds ? "saw" : "did not see",
              choice.second.is_none() ? std::string("nobody") : step_actor(choice.second, -1));
        }
        if (choice.length > 0) {
          return fmt::format("the first {} elements of key {} that {} read {} with those of {}",
                             choice.length, history_.key_text(choice.key), first,
                             choice.holds ? "end" : "do not end", step_actor(choice.second, -1));
        }
        return fmt::format(
            "{} {} key {} as {} left it", first, choice.holds ? "read" : "did not read",
            history_.key_text(choice.key),
            choice.second.is_none() ? std::string("nobody") : step_actor(choice.second, -1));
      case Choice::Kind::kTookEffect:
        break;
    }
    return fmt::format("{} {}", first, choice.holds ? "took effect" : "did not take effect");
  }

  template <class... Args>
  void claim(fmt::format_string<Args...> format, Args&&... args) {
    result_.claims.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  /// The items that a sentence names; all of them if everything is to be printed.
  template <class Item>
  [[nodiscard]] std::span<const Item> first_few(const std::vector<Item>& items) const {
    return std::span(items).first(options_.full ? items.size() : std::min(items.size(), kMaxNamed));
  }

  /// Those items in words; `to_words` gives each item's.
  template <class Item, class ToWords>
  [[nodiscard]] std::string enumerated(const std::vector<Item>& items, ToWords to_words) const {
    std::vector<std::string> words;
    for (const Item& item : first_few(items)) {
      words.emplace_back(to_words(item));
    }
    const std::size_t left_out = items.size() - words.size();
    return enumeration(std::move(words), left_out);
  }

  Paragraph take() { return std::move(result_); }

  /// The actor's name; it is added, or its focus widened.
  std::string actor(EventRef event, std::optional<Focus> focus) {
    const std::uint64_t id =
        std::uint64_t{event.txn.value} << 1 | static_cast<unsigned>(event.kind);
    const auto [place, is_new] = places_.try_emplace(id, result_.actors.size());
    if (is_new) {
      const std::string name = fmt::format("T{}", result_.actors.size() + 1);
      result_.actors.push_back({.name = emphasised(name, options_), .event = event});
    }
    Actor& known = result_.actors[place->second];
    if (focus) {
      known.focus.push_back(*focus);
    }
    return known.name;
  }

  /// Shows the operations of `event` that wrote `element` to `key`, and those that overwrote it.
  void focus_on_write(EventRef event, KeyId key, ValueId element) {
    const std::span<const Op> ops = event_ops(history_, event);
    bool written = false;
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].is_write() && ops[mop].key() == key) {
        written = written || ops[mop].value() == element;
        if (written) {
          actor(event, Focus{mop});
        }
      }
    }
  }

  /// G1a or G1b: `t1` read what `t2` wrote.
  void explain_writer(const std::string& t1, const std::string& t2, const std::string& element,
                      const std::string& key, Op read) {
    const bool list = read.kind() == OpKind::kReadList;
    const std::string wrote = list ? fmt::format("appended {} to key {}", element, key)
                                   : fmt::format("set key {} to {}", key, element);
    if (type_ == AnomalyType::kG1b) {
      claim("{} {}, and wrote key {} again later in the same transaction.", t2, wrote, key);
      claim("However, {} read key {} = {}: a read of an intermediate state!", t1, key,
            value_text(read, ValueId::none()));
    } else {
      claim("{} {}, and was aborted.", t2, wrote);
      claim("However, {} read {} from key {}: a read of an aborted write!", t1, element, key);
    }
  }

  /// Adds one of the transactions of a lost update, showing its read and its write.
  std::string add_updater(EventRef event, KeyId key) {
    const std::span<const Op> ops = event_ops(history_, event);
    const auto begin = ops.begin();
    const auto read =
        std::find_if(begin, ops.end(), [&](Op op) { return op.is_read() && op.key() == key; });
    const auto write =
        std::find_if(read, ops.end(), [&](Op op) { return op.is_write() && op.key() == key; });
    for (const auto mop : {read, write}) {
      if (mop != ops.end()) {
        actor(event, Focus{static_cast<std::uint32_t>(mop - begin)});
      }
    }
    return actor(event, std::nullopt);
  }

  /// The elements at which two lists part; none() where one has ended.
  [[nodiscard]] std::pair<ValueId, ValueId> first_difference(Op first, Op second) const {
    const std::span<const ValueId> a = history_.elements(first);
    const std::span<const ValueId> b = history_.elements(second);
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return {in_a == a.end() ? ValueId::none() : *in_a, in_b == b.end() ? ValueId::none() : *in_b};
  }

  [[nodiscard]] std::string list_text(std::span<const ValueId> list, ValueId focus) const {
    return options_.full ? whole_list(history_, list)
                         : elided_list(history_, list, std::array<ValueId, 1>{focus});
  }

  [[nodiscard]] std::string value_text(Op op, ValueId focus) const {
    return op.kind() == OpKind::kReadList ? list_text(history_.elements(op), focus)
                                          : history_.text(op.value());
  }

  [[nodiscard]] std::string expectation(const ExpectedRead& expected) const {
    if (expected.kind == ExpectedRead::Kind::kScalar) {
      return "as " + history_.text(expected.scalar);
    }
    const std::string list = list_text(expected.elements, ValueId::none());
    return (expected.kind == ExpectedRead::Kind::kSuffix ? "as a list that ends in " : "as ") +
           list;
  }

  const History& history_;
  AnomalyType type_;
  const ParagraphOptions& options_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by event, in result_.actors
  Paragraph result_;
};

}  // namespace

Paragraph anomaly_paragraph(const History& history, const Anomaly& anomaly,
                            const ParagraphOptions& options) {
  return std::visit(ParagraphBuilder(history, anomaly.type, options), anomaly.evidence);
}

}  // namespace elapid
