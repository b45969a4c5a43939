#include "adapter/elle/anomaly_entry.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "adapter/elle/step_text.h"
#include "engine/evidence/violation_pattern.h"
#include "engine/verdict/timestamp_names.h"

namespace elapid {
namespace {

/// The relations whose union each model's graph is; PL-SI's kind extends one union by another.
struct Subgraph {
  Model model;
  std::string_view edn;
};

constexpr std::array<Subgraph, 13> kSubgraphs = {{
    {Model::kPl1, "[:union :ww :wwp]"},
    {Model::kPl2, "[:union :ww :wwp :wr :wrp]"},
    {Model::kPlSi, "[:extension [:union :ww :wwp :wr :wrp] [:union :rw :rwp]]"},
    {Model::kPl299, "[:union :ww :wwp :wr :wrp :rw]"},
    {Model::kPl3, "[:union :ww :wwp :wr :wrp :rw :rwp]"},
    {Model::kStrongSessionPl1, "[:union :ww :wwp :process]"},
    {Model::kStrongSessionPl2, "[:union :ww :wwp :wr :wrp :process]"},
    {Model::kStrongSessionSnapshotIsolation,
     "[:extension [:union :ww :wwp :wr :wrp :process] [:union :rw :rwp]]"},
    {Model::kStrongSessionSerializable, "[:union :ww :wwp :wr :wrp :rw :rwp :process]"},
    {Model::kStrongPl1, "[:union :ww :wwp :realtime]"},
    {Model::kStrongPl2, "[:union :ww :wwp :wr :wrp :realtime]"},
    {Model::kStrongSnapshotIsolation,
     "[:extension [:union :ww :wwp :wr :wrp :realtime] [:union :rw :rwp]]"},
    {Model::kPlSs, "[:union :ww :wwp :wr :wrp :rw :rwp :realtime]"},
}};

std::string_view subgraph(Model model) {
  for (const Subgraph& entry : kSubgraphs) {
    if (entry.model == model) {
      return entry.edn;
    }
  }
  return "nil";
}

/// Writes the map of one piece of evidence, with a method for each kind.
class EntryWriter {
 public:
  EntryWriter(DocumentWriter& out, const History& history, const Anomaly& anomaly,
              const EventFieldsFn& fields)
      : out_(out),
        history_(history),
        type_(anomaly.type),
        pattern_(violation_pattern(anomaly)),
        fields_(fields) {}

  void operator()(const CycleEvidence& evidence) {
    out_.open(Container::kMap);
    write_cycle("cycle", "steps", evidence.steps);
    write_type();
    write_proof(evidence.because);
    if (!pattern_.empty()) {
      out_.key("elapid/pattern").keyword(pattern_);
    }
    out_.close();
  }

  /// Elle names the element only in lists, since a register's read shows it.
  void operator()(const ReadEvidence& evidence) {
    const EventRef reader = representative_ref(history_, evidence.reader);
    out_.open(Container::kMap);
    write_op_and_mop(reader, evidence.mop);
    if (evidence.writer && type_ != AnomalyType::kFutureRead) {
      out_.key("writer");
      write_event(out_, history_, *evidence.writer, fields_);
    }
    if (mop(reader, evidence.mop).kind() == OpKind::kReadList) {
      out_.key("element");
      write_value(out_, history_, evidence.element);
    }
    out_.close();
  }

  void operator()(const InternalEvidence& evidence) {
    out_.open(Container::kMap);
    write_op_and_mop(representative_ref(history_, evidence.txn), evidence.mop);
    out_.key("expected");
    write_expected(evidence.expected);
    out_.close();
  }

  void operator()(const DuplicateElementsEvidence& evidence) {
    out_.open(Container::kMap);
    write_op_and_mop(representative_ref(history_, evidence.txn), evidence.mop);
    out_.key("duplicates").open(Container::kMap);
    for (const auto& [element, count] : evidence.counts) {
      write_value(out_, history_, element);
      out_.integer(count);
    }
    out_.close();
    out_.close();
  }

  void operator()(const IncompatibleOrderEvidence& evidence) {
    out_.open(Container::kMap);
    write_key(evidence.key);
    out_.key("values").open(Container::kVector);
    write_op_value(out_, history_, mop(evidence.first_reader, evidence.first_mop));
    write_op_value(out_, history_, mop(evidence.second_reader, evidence.second_mop));
    out_.close();
    out_.close();
  }

  void operator()(const DirtyUpdateEvidence& evidence) {
    out_.open(Container::kMap);
    write_key(evidence.key);
    out_.key("values");
    write_values(Container::kVector, evidence.values);
    out_.key("txns").open(Container::kVector);
    write_txn(evidence.aborted);
    out_.form("...");
    write_txn(evidence.committed);
    out_.close();
    out_.close();
  }

  void operator()(const LostUpdateEvidence& evidence) {
    out_.open(Container::kMap);
    write_key(evidence.key);
    out_.key("value");
    write_op_value(out_, history_,
                   mop(representative_ref(history_, evidence.txns.front()), evidence.mop));
    out_.key("txns").each(evidence.txns, [&](TxnId txn) { write_txn(txn); });
    out_.close();
  }

  void operator()(const CyclicVersionsEvidence& evidence) {
    out_.open(Container::kMap);
    write_key(evidence.key);
    out_.key("scc");
    write_values(Container::kSet, evidence.versions);
    out_.key("sources").each(evidence.sources,
                             [&](VersionSource source) { out_.keyword(name(source)); });
    out_.close();
  }

  /// Elle shows only the component. The walk through it is Elapid's addition.
  void operator()(const CycleExistsEvidence& evidence) {
    out_.open(Container::kMap);
    write_component(evidence.model, evidence.component);
    if (!evidence.walk.empty()) {
      write_cycle("elapid/cycle", "elapid/steps", evidence.walk);
    }
    write_proof(evidence.because);
    out_.close();
  }

  /// As for a component with a cycle, with the size of the search. Nothing certifies that all
  /// orders were tried.
  void operator()(const NoOrderEvidence& evidence) {
    const ExhaustedSearch& search = evidence.search;
    out_.open(Container::kMap);
    write_component(evidence.model, search.txns);
    out_.key("elapid/sessions").integer(search.sessions);
    out_.key("elapid/states").integer(search.states);
    out_.key("elapid/certified?").boolean(false);
    out_.close();
  }

  void operator()(const MixEvidence& evidence) {
    out_.open(Container::kMap);
    write_type();
    out_.key("levels").open(Container::kMap);
    for (const auto& [txn, model] : evidence.levels) {
      out_.integer(history_.representative(txn).index);
      out_.keyword(friendly_name(model));
    }
    out_.close();
    write_proof(evidence.because);
    out_.close();
  }

  void operator()(const SearchTimeoutEvidence& evidence) {
    out_.open(Container::kMap);
    write_type();
    out_.key("anomaly-spec-type").keyword(elapid::name(evidence.searching));
    out_.key("does-not-contain")
        .each(Container::kList, evidence.does_not_contain,
              [&](AnomalyType type) { out_.keyword(elapid::name(type)); });
    out_.key("scc-size").integer(evidence.component_size);
    out_.close();
  }

  void operator()(const EmptyGraphEvidence& /*evidence*/) { out_.boolean(true); }

  /// As for a component with a cycle.
  void operator()(const RowsProofEvidence& evidence) {
    out_.open(Container::kMap);
    write_component(evidence.model, evidence.txns);
    out_.key("elapid/proof-steps").integer(evidence.steps.size());
    out_.close();
  }

  void operator()(const PredicateMissEvidence& evidence) {
    out_.open(Container::kMap);
    write_op_and_mop(representative_ref(history_, evidence.reader), evidence.mop);
    write_key(evidence.row);
    out_.key("versions");
    write_values(Container::kVector, evidence.versions);
    out_.close();
  }

  /// Writes the keys that the type's entries always have, if any, and then Elapid's own.
  void operator()(const TimestampEvidence& evidence) {
    out_.open(Container::kMap);
    if (evidence.axiom == TimestampAxiom::kInt || evidence.axiom == TimestampAxiom::kExt) {
      write_op_and_mop(representative_ref(history_, evidence.txn), evidence.mop);
      out_.key("expected");
      write_expected(evidence.expected);
      write_writer(evidence);
    } else if (evidence.axiom == TimestampAxiom::kNoConflict) {
      write_key(evidence.key);
      if (type_ == AnomalyType::kLostUpdate) {
        out_.key("value");
        write_op_value(out_, history_, first_op(evidence.txn, evidence.key));
      }
    }
    if (evidence.axiom > TimestampAxiom::kExt) {
      out_.key("txns").open(Container::kVector);
      for_others_and_txn(evidence, [this](TxnId txn) { write_txn(txn); });
      out_.close();
    }
    write_type();
    write_timestamps(evidence);
    out_.close();
  }

 private:
  [[nodiscard]] Op mop(EventRef event, std::uint32_t index) const {
    return shown_ops(history_, event)[index];
  }

  /// Writes what Elle shows of a component with a cycle in the model's graph.
  void write_component(Model model, const std::vector<TxnId>& txns) {
    write_type();
    out_.key("not").keyword(friendly_name(model));
    out_.key("subgraph").form(subgraph(model));
    out_.key("scc-size").integer(txns.size());
    out_.key("scc").each(Container::kSet, txns,
                         [&](TxnId txn) { out_.integer(history_.representative(txn).index); });
  }

  [[nodiscard]] Op first_op(TxnId txn, KeyId key) const {
    return *std::ranges::find(history_.ops(txn), key, &Op::key);
  }

  template <class Write>
  static void for_others_and_txn(const TimestampEvidence& evidence, Write write) {
    for (const TxnId txn : {evidence.expected_writer, evidence.other, evidence.txn}) {
      if (!txn.is_none()) {
        write(txn);
      }
    }
  }

  /// Writes the writer of the value that was read, if there is one.
  void write_writer(const TimestampEvidence& evidence) {
    if (!evidence.other.is_none()) {
      out_.key("writer");
      write_txn(evidence.other);
    }
    if (!evidence.expected_writer.is_none()) {
      out_.key("elapid/expected-writer");
      write_txn(evidence.expected_writer);
    }
  }

  void write_timestamps(const TimestampEvidence& evidence) {
    out_.key("elapid/axiom").keyword(elapid::name(evidence.axiom));
    if (evidence.axiom == TimestampAxiom::kExt) {
      out_.key("elapid/origin").keyword(elapid::name(evidence.origin));
    }
    const auto write = [this](std::string_view key, std::optional<std::int64_t> time) {
      out_.key(key);
      write_timestamp(time);
    };
    out_.key("elapid/timestamps").open(Container::kVector);
    for_others_and_txn(evidence, [&](TxnId txn) {
      out_.open(Container::kMap);
      out_.key("index").integer(history_.representative(txn).index);
      write("start", history_.start_timestamp(txn));
      write("commit", history_.commit_timestamp(txn));
      out_.close();
    });
    out_.close();
    if (evidence.within_clock_skew) {
      out_.key("elapid/within-clock-skew?").boolean(true);
    }
  }

  /// Writes the number; with a hybrid clock its physical and its logical part.
  void write_timestamp(std::optional<std::int64_t> time) {
    const unsigned logical_bits = history_.info().logical_bits;
    if (!time) {
      out_.nil();
    } else if (logical_bits == 0) {
      out_.integer(*time);
    } else {
      out_.open(Container::kVector);
      out_.integer(*time >> logical_bits);
      out_.integer(*time & ((std::int64_t{1} << logical_bits) - 1));
      out_.close();
    }
  }

  void write_type() { out_.key("type").keyword(elapid::name(type_)); }

  void write_key(KeyId key) {
    out_.key("key");
    write_value(out_, history_, history_.key_value(key));
  }

  void write_txn(TxnId txn) {
    write_event(out_, history_, representative_ref(history_, txn), fields_);
  }

  void write_op_and_mop(EventRef event, std::uint32_t index) {
    out_.key("op");
    write_event(out_, history_, event, fields_);
    out_.key("mop");
    write_mop(out_, history_, mop(event, index));
  }

  void write_values(Container container, const std::vector<ValueId>& values) {
    out_.open(container);
    for (const ValueId value : values) {
      write_value(out_, history_, value);
    }
    out_.close();
  }

  /// Writes the expected value. `...` stands for the unknown beginning of a list.
  void write_expected(const ExpectedRead& expected) {
    if (expected.kind == ExpectedRead::Kind::kScalar) {
      write_value(out_, history_, expected.scalar);
      return;
    }
    out_.open(Container::kVector);
    if (expected.kind == ExpectedRead::Kind::kSuffix) {
      out_.form("...");
    }
    for (const ValueId element : expected.elements) {
      write_value(out_, history_, element);
    }
    out_.close();
  }

  /// Writes the transactions of a closed walk, the first one again at the end, and its steps.
  void write_cycle(std::string_view cycle_key, std::string_view steps_key,
                   const std::vector<Step>& steps) {
    out_.key(cycle_key).open(Container::kVector);
    for (const Step& step : steps) {
      write_txn(step.from);
    }
    if (!steps.empty()) {
      write_txn(steps.back().to);
    }
    out_.close();
    out_.key(steps_key).each(Container::kList, steps,
                             [&](const Step& step) { write_step(out_, history_, step, fields_); });
  }

  /// Writes the steps of a proof. Transactions are named by the index of their event.
  void write_proof(const std::vector<ProvedChoice>& proof) {
    if (proof.empty()) {
      return;
    }
    out_.key("elapid/because").each_map(proof, [&](const ProvedChoice& proved) {
      out_.key("proved").each(proved.clause, [&](const Choice& choice) { write_choice(choice); });
      out_.key("otherwise").each(Container::kList, proved.steps, [&](const Step& step) {
        write_step(out_, history_, step, fields_);
      });
    });
  }

  void write_choice(const Choice& choice) {
    const auto index = [&](TxnId txn) {
      if (txn.is_none()) {
        out_.nil();
      } else {
        out_.integer(history_.representative(txn).index);
      }
    };
    out_.open(Container::kVector);
    if (!choice.holds) {
      out_.keyword("not");
    }
    switch (choice.kind) {
      case Choice::Kind::kBefore:
        out_.keyword("before");
        index(choice.first);
        index(choice.second);
        break;
      case Choice::Kind::kReads:
        out_.keyword("reads");
        index(choice.first);
        write_value(out_, history_, history_.key_value(choice.key));
        index(choice.second);
        if (choice.length > 0) {
          out_.integer(choice.length);
        }
        break;
      case Choice::Kind::kTookEffect:
        out_.keyword("took-effect");
        index(choice.first);
        break;
    }
    out_.close();
  }

  DocumentWriter& out_;
  const History& history_;
  AnomalyType type_;
  std::string pattern_;
  const EventFieldsFn& fields_;
};

}  // namespace

void write_anomaly_entry(DocumentWriter& out, const History& history, const Anomaly& anomaly,
                         const EventFieldsFn& fields) {
  std::visit(EntryWriter(out, history, anomaly, fields), anomaly.evidence);
}

}  // namespace elapid
