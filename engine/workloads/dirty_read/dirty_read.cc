// dirty-read: single operations :write an element, :read whether it is there, and at the end
// :strong-read all elements on each node.
//
//   {:type :ok, :f :write, :value 1}   {:type :ok, :f :read, :value 2}
//   {:type :ok, :f :strong-read, :value #{}}
//
// Element 1 is lost: its write was acknowledged, and no strong read shows it. Element 2 is dirty:
// it was read, and no strong read shows it. The history is valid if all strong reads are equal,
// nothing is lost and nothing is dirty; unknown if there is no strong read.
//
// After Jepsen (tests of Crate and Elasticsearch), with Jepsen's keys in the result. Jepsen demands
// one strong read of each process, and assumes that all other operations ended before the strong
// reads began. Here only operations that ended before the last strong read began can be lost or
// dirty. If strong reads differ only in concurrent writes, the verdict is unknown.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/value_numbers.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/value_order.h"

namespace elapid {

namespace {

constexpr WorkloadType kDirtyReadType = {
    .name = "dirty-read", .has_transactions = false, .has_own_values = true};

std::string_view recognise_dirty_read(const Clues& clues) {
  return clues.has_call("strong-read") ? "a :strong-read shows all elements" : "";
}

/// Decodes a write as a write, a read of an element as a read, a strong read as a list, and a
/// refresh as a read of nil.
std::string decode_dirty_read(const Call& call, DecodedCall& out) {
  if (call.f != "write" && call.f != "read" && call.f != "refresh" && call.f != "strong-read") {
    decode_other(call, out);
    return {};
  }
  if (call.f == "strong-read" && call.type == EventType::kOk && call.value) {
    const auto elements = inside(*call.value);
    if (!elements || call.value->starts_with('{')) {
      return "expected all elements as the :value of this :strong-read, found " +
             std::string(*call.value);
    }
    decode_elements(*elements, out);
    return {};
  }
  if (call.f == "write") {
    decode_change(call, OpKind::kWrite, out);
    return {};
  }
  if (call.f == "read" && call.type == EventType::kOk && call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const bool has_element = call.f == "read" && call.value;
  out.mops.push_back({.kind = OpKind::kRead,
                      .value = has_element ? out.values.intern(*call.value) : ValueId::nil()});
  return {};
}

/// The facts about one element.
struct ShownElement {
  ValueId value = ValueId::none();
  TxnId written = TxnId::none();    ///< the first write that was acknowledged
  TxnId read = TxnId::none();       ///< the first read that found it
  TxnId known = TxnId::none();      ///< the first operation that shows that it exists
  std::uint32_t strong_count = 0;   ///< strong reads that show it
  std::uint32_t latest_in_row = 0;  ///< the number of latest strong reads that all show it
  std::uint32_t last_question = 0;
};

class DirtyReadJudge {
 public:
  DirtyReadJudge(const History& history, const JudgeRequest& request)
      : history_(history), elle_compat_(request.elle_compat) {
    verdict_.engine = "dirty-read";
    verdict_.assumptions.elle_compat = elle_compat_;
  }

  Verdict judge() && {
    collect();
    if (strong_.empty()) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = "there is no :strong-read";
      verdict_.entries = {{"error", *verdict_.unknown_because}};
      return std::move(verdict_);
    }
    look_at_strong_reads();
    std::ranges::sort(elements_, ValueOrder(history_), &ShownElement::value);
    add_entries();
    conclude();
    return std::move(verdict_);
  }

 private:
  ShownElement& element(ValueId value) {
    const auto fresh = static_cast<std::uint32_t>(elements_.size());
    const std::uint32_t number = number_.find_or_add(value, fresh);
    if (number == fresh) {
      elements_.push_back({.value = value});
    }
    return elements_[number];
  }

  /// Collects elements and strong reads. Transactions are ordered by completion, so the first one
  /// seen is the earliest.
  void collect() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      if (!history_.committed(txn) || ops.size() != 1) {
        continue;
      }
      const Op op = ops.front();
      if (op.kind() == OpKind::kReadList) {
        strong_.push_back(txn);
        for (const ValueId value : history_.elements(op)) {
          know(element(value), txn);
        }
      } else if (op.is_write() || !op.value().is_nil()) {
        ShownElement& its = element(op.value());
        TxnId& first = op.is_write() ? its.written : its.read;
        first = first.is_none() ? txn : first;
        know(its, txn);
      }
    }
  }

  static void know(ShownElement& element, TxnId txn) {
    element.known = element.known.is_none() ? txn : element.known;
  }

  /// When a strong read began; the beginning of the history if that is unknown.
  [[nodiscard]] EventId begin_of(TxnId txn) const {
    return history_.has_invocation(txn) ? history_.invocation_id(txn) : EventId{0};
  }

  /// Counts the strong reads that show each element, from the latest begin to the earliest.
  void look_at_strong_reads() {
    std::ranges::sort(strong_, std::greater(), [&](TxnId txn) { return begin_of(txn); });
    for (std::uint32_t i = 0; i < strong_.size(); ++i) {
      for (const ValueId value : history_.elements(history_.ops(strong_[i]).front())) {
        ShownElement& its = elements_[number_.find(value)];
        if (std::exchange(its.last_question, i + 1) == i + 1) {
          continue;
        }
        ++its.strong_count;
        its.latest_in_row += its.latest_in_row == i ? 1 : 0;
      }
    }
  }

  [[nodiscard]] bool is_on_all(const ShownElement& element) const {
    return element.strong_count == strong_.size();
  }

  /// Whether the transaction, if there is one, ended before the last strong read began.
  [[nodiscard]] bool counts(TxnId txn) const {
    return !txn.is_none() &&
           (elle_compat_ || history_.completion_id(txn) < begin_of(strong_.front()));
  }

  [[nodiscard]] bool is_lost(const ShownElement& element) const {
    return element.strong_count == 0 && counts(element.written);
  }

  [[nodiscard]] bool is_dirty(const ShownElement& element) const {
    return element.strong_count == 0 && counts(element.read);
  }

  /// A strong read that misses the element although it was known before; none() if there is none.
  [[nodiscard]] TxnId misses(const ShownElement& element) const {
    if (element.strong_count == 0 || is_on_all(element)) {
      return TxnId::none();
    }
    const TxnId latest = strong_[element.latest_in_row];
    const bool was_known = history_.completion_id(element.known) < begin_of(latest);
    return was_known || elle_compat_ ? latest : TxnId::none();
  }

  template <class Test>
  void add_count(const std::string& key, Test test) {
    verdict_.entries.push_back(
        {key + "-count", static_cast<std::int64_t>(std::ranges::count_if(elements_, test))});
  }

  template <class Test>
  void add_set(const std::string& key, Test test) {
    add_count(key, test);
    std::vector<ResultValue> values;
    for (const ShownElement& element : elements_) {
      if (test(element)) {
        values.push_back(ResultValue::of(element.value));
      }
    }
    verdict_.entries.push_back(
        {key, ResultValue::of_items(ResultValue::Kind::kSet, std::move(values))});
  }

  void add_entries() {
    const auto is_on_some = [](const ShownElement& element) { return element.strong_count > 0; };
    const auto is_partial = [&](const ShownElement& element) {
      return element.strong_count > 0 && !is_on_all(element);
    };
    verdict_.entries.push_back(
        {"nodes-agree?", ResultValue::boolean(std::ranges::none_of(elements_, is_partial))});
    add_count("read", [](const ShownElement& element) { return !element.read.is_none(); });
    add_count("on-all", [&](const ShownElement& element) { return is_on_all(element); });
    add_count("on-some", is_on_some);
    add_count("unchecked", [&](const ShownElement& element) {
      return is_on_some(element) && element.read.is_none();
    });
    add_set("not-on-all", is_partial);
    add_set("dirty", [&](const ShownElement& element) { return is_dirty(element); });
    add_set("lost", [&](const ShownElement& element) { return is_lost(element); });
    add_set("some-lost", [&](const ShownElement& element) {
      return !is_on_all(element) && counts(element.written);
    });
  }

  void conclude() {
    bool is_open = false;
    for (const ShownElement& element : elements_) {
      const TxnId missing = misses(element);
      is_open |= element.strong_count > 0 && !is_on_all(element) && missing.is_none();
      if (is_lost(element)) {
        add_finding({"lost", "no strong read shows an element whose write was acknowledged",
                     "{} wrote {}, and was told that it had succeeded.",
                     "However, {}, which began later, does not show it, nor does any other strong "
                     "read: a lost element!"},
                    element, element.written, strong_.front());
      }
      if (is_dirty(element)) {
        add_finding({"dirty-read", "no strong read shows an element that was read", "{} found {}.",
                     "However, {}, which began later, does not show it, nor does any other strong "
                     "read: a dirty read!"},
                    element, element.read, strong_.front());
      }
      if (!missing.is_none()) {
        add_finding({"nodes-disagree", "some strong reads show an element, and others do not",
                     "{} shows that {} is there.",
                     "However, {} does not show it, although others do: the nodes disagree!"},
                    element, element.known, missing);
      }
    }
    elapid::conclude(verdict_, is_invalid_, is_open && !is_invalid_,
                     "strong reads differ only in elements that concurrent writes may have added");
  }

  struct FindingWords {
    const char* name;
    const char* gloss;
    const char* first;
    const char* second;
  };

  void add_finding(const FindingWords& words, const ShownElement& element, TxnId first,
                   TxnId second) {
    is_invalid_ = true;
    if (verdict_.findings.size() >= kMostFindings) {
      return;
    }
    Description description = {.name = words.name, .gloss = words.gloss};
    description.actors = {{.event = representative_ref(history_, first)},
                          {.event = representative_ref(history_, second)}};
    description.claims = {{.says = phrase(words.first, ActorPart{0}, ValuePart{element.value})},
                          {.says = phrase(words.second, ActorPart{1})}};
    verdict_.findings.push_back(std::move(description));
  }

  const History& history_;
  bool elle_compat_;
  bool is_invalid_ = false;
  std::vector<ShownElement> elements_;
  ValueNumbers number_;
  std::vector<TxnId> strong_;
  Verdict verdict_;
};

Result<Verdict> judge_dirty_read(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":write, :read, :refresh and :strong-read")) {
    return *error;
  }
  return DirtyReadJudge(history, request).judge();
}

}  // namespace

/// The judgement is O(n log n) in operations and elements read.
WorkloadRow dirty_read_row() {
  return {.workload = Workload(kDirtyReadType),
          .recognise = recognise_dirty_read,
          .decode = decode_dirty_read,
          .judge = judge_dirty_read};
}

}  // namespace elapid
