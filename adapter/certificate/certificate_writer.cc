#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "adapter/certificate/certificate.h"
#include "adapter/certificate/certificate_elements.h"
#include "engine/ir/json_string.h"
#include "engine/rows/rows.h"
#include "engine/workloads/object_claims.h"

namespace elapid {
namespace {

constexpr std::size_t kItemsPerLine = 1000;

/// Writes a list in brackets, with commas between its items.
template <class Items, class Write>
void write_list(OutputFile& out, const Items& items, Write write) {
  out << '[';
  bool is_first = true;
  for (const auto& item : items) {
    out << std::string_view(is_first ? "" : ",");
    is_first = false;
    write(item);
  }
  out << ']';
}

/// Writes long lists as several lines `{"<name>": [...]}`.
template <class Item, class Write>
void write_lines(OutputFile& out, std::string_view name, std::span<const Item> items, Write write) {
  for (std::size_t i = 0; i < items.size(); i += kItemsPerLine) {
    out << "{\"" << name << "\": ";
    write_list(out, items.subspan(i, std::min(kItemsPerLine, items.size() - i)), write);
    out << "}\n";
  }
}

/// Writes the evidence of one history.
class EvidenceWriter {
 public:
  EvidenceWriter(OutputFile& out, const History& history) : out_(out), history_(history) {}

  void write(const Witness& witness) {
    write_beginning(witness);
    write_lines(out_, "order", std::span(witness.order),
                [this](OrderEvent event) { out_ << event.txn.value; });
    write_lines(out_, "reads", std::span(witness.reads), [this](const ReadFrom& read) {
      out_ << '[' << read.reader.value << ',';
      write_key(read.key);
      out_ << ',';
      write_version(read.writer);
      out_ << ']';
    });
    write_taken(witness);
  }

  void write(const ExhaustedSearch& core) {
    write_lines(out_, "core", std::span(core.txns), [this](TxnId txn) { out_ << txn.value; });
  }

  void write_taken(const Witness& witness) {
    write_lines(out_, "taken", std::span(witness.taken), [this](const TakenRow& one) {
      out_ << '[' << one.txn.value << ',' << one.mop << ',';
      write_key(one.row);
      out_ << ']';
    });
  }

  void write_beginning(const Witness& witness) {
    write_lines(out_, "beginning", std::span(witness.beginning), [this](const PartAtFirst& part) {
      out_ << '[';
      write_key(part.row);
      out_ << ',';
      write_part(part.part);
      if (part.part != kRowExistence) {
        out_ << ',';
        write_value(part.value);
      }
      out_ << ']';
    });
  }

  void write(const RowsProofEvidence& proof) {
    for (const RowsProofStep& step : proof.steps) {
      out_ << "{\"clause\": ";
      write_list(out_, step.clause, [this](const RowsChoice& choice) { write_choice(choice); });
      write_reason(step);
      out_ << "}\n";
    }
  }

  void write(const Refutation& refutation) {
    for (const ProofStep& step : refutation.steps) {
      out_ << "{\"clause\": ";
      write_list(out_, step.clause, [this](const Choice& choice) { write_choice(choice); });
      if (!step.cycle.empty()) {
        out_ << ", \"cycle\": ";
        write_list(out_, step.cycle, [this](const OrderEdge& edge) { write_edge(edge); });
      }
      out_ << "}\n";
    }
  }

 private:
  void write_key(KeyId key) { out_ << json_quoted(history_.key_text(key)); }

  void write_version(TxnId writer) {
    if (writer.is_none()) {
      out_ << "null";
    } else {
      out_ << writer.value;
    }
  }

  void write_choice(const Choice& choice) {
    out_ << std::string_view(choice.holds ? "[" : "[\"not\",");
    switch (choice.kind) {
      case Choice::Kind::kBefore:
        out_ << "\"before\"," << choice.first.value << ',' << choice.second.value;
        break;
      case Choice::Kind::kReads:
        out_ << "\"reads\"," << choice.first.value << ',';
        write_key(choice.key);
        out_ << ',';
        write_version(choice.second);
        if (choice.length > 0) {
          out_ << ',' << choice.length;
        }
        break;
      case Choice::Kind::kTookEffect:
        out_ << "\"took-effect\"," << choice.first.value;
        break;
    }
    out_ << ']';
  }

  void write_event(OrderEvent event) {
    if (event.txn.is_none()) {
      out_ << "null";
    } else if (event.is_commit) {
      out_ << event.txn.value;
    } else {
      out_ << "[\"start\"," << event.txn.value << ']';
    }
  }

  void write_choice(const RowsChoice& choice) {
    out_ << std::string_view(choice.holds ? "[" : "[\"not\",");
    switch (choice.kind) {
      case RowsChoice::Kind::kBefore:
        out_ << "\"before\",";
        write_event(choice.first);
        out_ << ',';
        write_event(choice.second);
        break;
      case RowsChoice::Kind::kBetween:
        out_ << "\"between\",";
        write_event(choice.first);
        out_ << ',' << choice.middle.value << ',';
        write_event(choice.second);
        break;
      case RowsChoice::Kind::kTookEffect:
        out_ << "\"took-effect\"," << choice.first.txn.value;
        break;
      case RowsChoice::Kind::kConcerned:
        out_ << "\"concerned\"," << choice.first.txn.value << ',' << choice.mop << ',';
        write_key(choice.row);
        out_ << ',';
        write_version(choice.middle);
        write_way(choice.as);
        break;
      case RowsChoice::Kind::kFound:
        out_ << "\"found\"," << choice.first.txn.value << ',' << choice.mop << ',';
        write_key(choice.row);
        if (choice.as != kAsFound) {
          write_way(choice.as);
        }
        break;
      case RowsChoice::Kind::kAtFirst:
        out_ << "\"at-first\",";
        write_key(choice.row);
        out_ << ',';
        write_part(choice.part);
        for (const ValueId value :
             choice.part == kRowExistence ? std::vector<ValueId>() : choice.values) {
          out_ << ',';
          write_value(value);
        }
        break;
    }
    out_ << ']';
  }

  /// How an operation found a row, unless its result says that.
  void write_way(std::uint32_t as) {
    if (as == kAsFound || as == kAsMissed) {
      out_ << std::string_view(as == kAsFound ? ",\"found\"" : ",\"missed\"");
    } else if (as != kAsRecorded) {
      out_ << ',' << as;
    }
  }

  void write_reason(const RowsProofStep& step) {
    using Reason = RowsProofStep::Reason;
    if (step.reason == Reason::kDerived) {
      return;
    }
    out_ << ", \"" << kRowReasons.at(static_cast<std::size_t>(step.reason)) << "\": ";
    if (step.reason == Reason::kMeaning || step.reason == Reason::kContents) {
      out_ << "true";
    } else if (step.reason == Reason::kCycle) {
      write_list(out_, step.cycle, [this](OrderEvent event) { write_event(event); });
    } else {
      write_details(step);
    }
    const bool has_causes = step.reason == Reason::kFound || step.reason == Reason::kVersion;
    if (has_causes || (step.reason == Reason::kOverlap && !step.causes.empty())) {
      write_causes(step);
    }
    if (step.reason == Reason::kFound) {
      write_later(step);
    }
  }

  /// The operation or the two transactions that the reason is about, and a row or items.
  void write_details(const RowsProofStep& step) {
    using Reason = RowsProofStep::Reason;
    out_ << '[' << step.txn.value << ','
         << (step.reason == Reason::kOverlap ? step.other.value : step.mop);
    if (step.reason == Reason::kAtLeast || step.reason == Reason::kAtMost) {
      for (const std::uint32_t item : step.items) {
        out_ << ',' << item;
      }
    } else if (step.reason != Reason::kFound) {
      out_ << ',';
      write_key(step.row);
    }
    if (step.reason == Reason::kVersion || step.reason == Reason::kFractured) {
      out_ << ',';
      write_version(step.other);
    }
    out_ << ']';
  }

  void write_causes(const RowsProofStep& step) {
    out_ << ", \"causes\": ";
    write_list(out_, step.causes, [this, &step](const LastWriter& cause) {
      out_ << '[';
      write_key(cause.row);
      out_ << ',';
      write_part(cause.part);
      out_ << ',';
      write_version(cause.writer);
      if (cause.reader != usual_reader(step)) {
        out_ << ',' << cause.reader.value;
      }
      out_ << ']';
    });
  }

  void write_later(const RowsProofStep& step) {
    if (step.later.empty()) {
      return;
    }
    out_ << ", \"later\": ";
    write_list(out_, step.later, [this](const LaterFinding& found) {
      out_ << '[' << found.txn.value << ',' << found.mop << ']';
    });
  }

  void write_value(ValueId value) {
    out_ << (value.is_none() ? "null" : json_quoted(history_.text(value)));
  }

  void write_part(std::uint32_t part) {
    if (part < kFirstColumn) {
      out_ << std::string_view(part == kRowExistence ? "\"exists\"" : "\"version\"");
      return;
    }
    const ValueId name = history_.info().rows->column_name({part - kFirstColumn});
    out_ << (name.is_none() ? "\"\"" : json_quoted(history_.text(name)));
  }

  void write_edge(const OrderEdge& edge) {
    out_ << "[\"" << relation_name(edge.relation) << "\"," << edge.from.value << ','
         << edge.to.value;
    if (edge.relation <= Relation::kRw) {
      out_ << ',';
      edge.key.is_none() ? void(out_ << "null") : write_key(edge.key);
    }
    if (edge.relation == Relation::kRw) {
      out_ << ',';
      write_version(edge.overwritten);
    }
    out_ << ']';
  }

  OutputFile& out_;
  const History& history_;
};

/// Writes the assumptions; nothing if there are none.
void write_assumptions(OutputFile& out, const Assumptions& assumptions) {
  std::string_view separator = ", \"assumptions\": [";
  for (const auto& [word, assumption] : kKeyAssumptions) {
    if (assumptions.*assumption) {
      out << std::exchange(separator, ",") << '"' << word << '"';
    }
  }
  out << std::string_view(separator == "," ? "]" : "");
  separator = ", \"transaction-order\": [";
  for (const auto& [completion_index, place] : assumptions.transaction_order) {
    out << std::exchange(separator, ",") << '[' << completion_index << ',' << place << ']';
  }
  out << std::string_view(separator == "," ? "]" : "");
}

/// Writes the numbers that identify the history, and ends the header.
void write_counts(OutputFile& out, const History& history) {
  out << ", \"transactions\": " << history.txn_count() << ", \"operations\": " << history.op_count()
      << "}\n";
}

void write_header(OutputFile& out, const History& history, std::string_view key,
                  std::string_view model, Validity validity, const Assumptions& assumptions) {
  out << "{\"elapid-certificate\": 1, \"model\": \"" << model
      << "\", \"valid?\": " << std::string_view(validity == Validity::kValid ? "true" : "false")
      << ", \"workload\": \"" << history.workload().name() << '"';
  if (!key.empty()) {
    out << ", \"key\": " << json_quoted(key);
  }
  write_assumptions(out, assumptions);
  write_counts(out, history);
}

}  // namespace

Result<CertificateWriter> CertificateWriter::create(const std::string& path) {
  ELAPID_ASSIGN_OR_RETURN(OutputFile file, OutputFile::create(path));
  return CertificateWriter(std::move(file));
}

namespace {

/// The proof that no order is one of the level; null if there is none.
const RowsProofEvidence* proof_of(const Verdict& verdict, Model model) {
  for (const Anomaly& anomaly : verdict.anomalies) {
    const auto* proof = std::get_if<RowsProofEvidence>(&anomaly.evidence);
    if (proof != nullptr && proof->model == model) {
      return proof;
    }
  }
  return nullptr;
}

}  // namespace

bool CertificateWriter::add(const History& history, std::string_view key, const Verdict& verdict) {
  bool is_shown = verdict.validity == Validity::kUnknown;
  EvidenceWriter evidence(file_, history);
  for (const LevelAnswer& answer : verdict.levels) {
    const bool is_valid = answer.validity == Validity::kValid;
    const bool is_of_objects = has_object_claims(history.workload(), answer.model);
    if (answer.validity == Validity::kUnknown || (is_valid && !answer.witness) ||
        (answer.failure && !is_of_objects)) {
      continue;
    }
    const bool has_rows = history.workload() == Workload::kRows;
    const RowsProofEvidence* proof =
        has_rows && !is_valid ? proof_of(verdict, answer.model) : nullptr;
    if (has_rows && !is_valid && proof == nullptr) {
      continue;
    }
    write_header(file_, history, key, friendly_name(answer.model), answer.validity,
                 verdict.assumptions);
    is_shown = is_shown || answer.validity == verdict.validity;
    if (is_valid) {
      evidence.write(*answer.witness);
    } else if (answer.failure) {
      evidence.write(*answer.failure);
    } else if (proof != nullptr) {
      evidence.write(*proof);
    } else {
      evidence.write(answer.refutation.value_or(Refutation{{ProofStep{}}}));
    }
  }
  const bool is_valid = verdict.validity == Validity::kValid;
  if (verdict.mix && verdict.mix->counts.size() > 1 && verdict.validity != Validity::kUnknown &&
      (!is_valid || verdict.mix->witness)) {
    write_header(file_, history, key, kByTransactionWord, verdict.validity, verdict.assumptions);
    is_shown = true;
    if (is_valid) {
      evidence.write(*verdict.mix->witness);
    } else {
      evidence.write(verdict.mix->refutation.value_or(Refutation{{ProofStep{}}}));
    }
  }
  return is_shown;
}

Status write_certificates(const std::string& path, const History& history, const Verdict& verdict) {
  ELAPID_ASSIGN_OR_RETURN(CertificateWriter writer, CertificateWriter::create(path));
  writer.add(history, {}, verdict);
  return writer.commit();
}

Status write_no_prediction(const std::string& path, const History& history, Model level,
                           Model target, const certify::NoPrediction& claim) {
  ELAPID_ASSIGN_OR_RETURN(OutputFile out, OutputFile::create(path));
  out << "{\"elapid-certificate\": 1, \"model\": \"" << friendly_name(level)
      << "\", \"predictions\": \"none\", \"target\": \"" << friendly_name(target)
      << "\", \"boundary\": \"" << std::string_view(claim.is_strict ? "strict" : "relaxed")
      << "\", \"workload\": \"" << history.workload().name() << '"';
  write_counts(out, history);
  for (const std::vector<OrderEvent>& order : claim.orders) {
    out << "{\"order\": ";
    write_list(out, order, [&out](OrderEvent event) { out << event.txn.value; });
    out << "}\n";
  }
  return out.commit();
}

}  // namespace elapid
