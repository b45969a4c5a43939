#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "adapter/certificate/certificate.h"
#include "adapter/certificate/certificate_elements.h"
#include "engine/ir/integer_text.h"
#include "engine/levels/cycle_levels.h"
#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

Error fail(json::Value where, std::string message) {
  return malformed_at(where.offset(), std::move(message));
}

Status status_of(CertificateElements&& elements) {
  std::optional<Error> error = std::move(elements).error();
  return error ? Status(*std::move(error)) : Status();
}

/// Reads each element of an array with `read(CertificateElements&, Item&)`.
template <class Item, class Read>
Status read_all(json::Value array, std::vector<Item>& items, Read read) {
  CertificateElements elements(array);
  while (!elements.at_end()) {
    CertificateElements inner(*elements.take("an array"));
    read(inner, items.emplace_back());
    inner.check_end();
    ELAPID_RETURN_IF_ERROR(status_of(std::move(inner)));
  }
  return status_of(std::move(elements));
}

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "\"" : ", \"") + std::string(word) + '"';
  }
  return text;
}

/// Refuses an object with other fields than these, or with one of them twice: the reader ignores no
/// field silently.
Status expect_fields(const json::Document& line, std::initializer_list<std::string_view> known) {
  if (const auto twice = line.duplicate_key()) {
    return fail(*twice, "the field " + json::describe(*twice) + " appears twice");
  }
  const json::Value object = line.root();
  for (json::Value key = object.begin(); key != object.end(); key = key.next().next()) {
    if (std::ranges::find(known, key.text()) == known.end()) {
      return fail(key,
                  "expected one of the fields " + joined(known) + ", found " + json::describe(key));
    }
  }
  return {};
}

void read_choice(CertificateNames& names, json::Value where, CertificateElements& in,
                 Choice& choice) {
  std::string_view word = in.take_word();
  choice.holds = word != "not";
  if (!choice.holds) {
    word = in.take_word();
  }
  choice.first = in.take_txn(names);
  if (word == "before") {
    choice.kind = Choice::Kind::kBefore;
    choice.second = in.take_txn(names);
  } else if (word == "reads") {
    choice.kind = Choice::Kind::kReads;
    choice.key = in.take_key(names);
    choice.second = in.take_version(names);
    choice.length = in.take_length();
  } else if (word == "took-effect") {
    choice.kind = Choice::Kind::kTookEffect;
  } else {
    in.fail(where, "expected before, reads or took-effect, found `" + std::string(word) + "`");
  }
}

void read_edge(CertificateNames& names, json::Value where, CertificateElements& in,
               OrderEdge& edge) {
  const std::string_view word = in.take_word();
  const auto relation = std::ranges::find(kRelationNames, word);
  if (relation == kRelationNames.end()) {
    in.fail(where, "expected ww, wr, rw, process or realtime, found `" + std::string(word) + "`");
    return;
  }
  edge.relation = static_cast<Relation>(relation - kRelationNames.begin());
  edge.from = in.take_txn(names);
  edge.to = in.take_txn(names);
  if (edge.relation <= Relation::kRw) {
    edge.key = edge.relation == Relation::kWw ? in.take_key_or_null(names) : in.take_key(names);
  }
  if (edge.relation == Relation::kRw) {
    edge.overwritten = in.take_version(names);
  }
}

void read_row_choice(CertificateNames& names, json::Value where, CertificateElements& in,
                     RowsChoice& choice) {
  std::string_view word = in.take_word();
  choice.holds = word != "not";
  if (!choice.holds) {
    word = in.take_word();
  }
  if (word == "before") {
    choice.kind = RowsChoice::Kind::kBefore;
    choice.first = in.take_event(names);
    choice.second = in.take_event(names);
  } else if (word == "between") {
    choice.kind = RowsChoice::Kind::kBetween;
    const OrderEvent first = in.take_event_or_null(names);
    choice.first = first.txn.is_none() ? choice.first : first;
    choice.middle = in.take_txn(names);
    choice.second = in.take_event(names);
  } else if (word == "took-effect") {
    choice.kind = RowsChoice::Kind::kTookEffect;
    choice.first = {in.take_txn(names), true};
  } else if (word == "concerned") {
    choice.kind = RowsChoice::Kind::kConcerned;
    choice.first = {in.take_txn(names), true};
    choice.mop = in.take_place();
    choice.row = in.take_key(names);
    choice.middle = in.take_version(names);
    choice.as = in.at_end() ? kAsRecorded : in.take_way();
  } else if (word == "found") {
    choice.kind = RowsChoice::Kind::kFound;
    choice.first = {in.take_txn(names), true};
    choice.mop = in.take_place();
    choice.row = in.take_key(names);
    choice.as = in.at_end() ? kAsFound : in.take_place();
  } else if (word == "at-first") {
    choice.kind = RowsChoice::Kind::kAtFirst;
    choice.row = in.take_key(names);
    choice.part = in.take_row_part(names);
    if (choice.part == kRowExistence) {
      choice.values = {ValueId::integer(1)};
    }
    while (!in.at_end()) {
      choice.values.push_back(in.take_value(names));
    }
  } else {
    in.fail(where, "expected before, between, took-effect, concerned, found or at-first, found `" +
                       std::string(word) + "`");
  }
}

/// Reads why a clause about rows holds: at most one of these fields, and its causes.
class RowReason {
 public:
  RowReason(json::Value line, CertificateNames& names, RowsProofStep& step)
      : line_(line), names_(names), step_(step) {}

  Status read() {
    Status status;
    std::size_t reasons = 0;
    for (std::size_t reason = 0; reason < kRowReasons.size(); ++reason) {
      const auto value = json::find(line_, kRowReasons.at(reason));
      if (value && ++reasons > 1) {
        return fail(*value, "expected one reason of a step, found two");
      }
      if (value && status.ok()) {
        step_.reason = static_cast<RowsProofStep::Reason>(reason);
        status = read(*value);
      }
    }
    const auto causes = json::find(line_, "causes");
    status = status.ok() && causes ? read_causes(*causes) : status;
    const auto later = json::find(line_, "later");
    return status.ok() && later ? read_later(*later) : status;
  }

 private:
  Status read(json::Value value) {
    using Reason = RowsProofStep::Reason;
    if (step_.reason == Reason::kMeaning || step_.reason == Reason::kContents) {
      return value.kind() == json::Kind::kTrue
                 ? Status()
                 : Status(fail(value, "expected true as a reason without details"));
    }
    CertificateElements in(value);
    if (step_.reason == Reason::kCycle) {
      while (!in.at_end()) {
        step_.cycle.push_back(in.take_event(names_));
      }
      return status_of(std::move(in));
    }
    step_.txn = in.take_txn(names_);
    if (step_.reason == Reason::kOverlap) {
      step_.other = in.take_txn(names_);
    } else {
      step_.mop = in.take_place();
      step_.by_predicate = names_.is_by_predicate(step_.txn, step_.mop);
    }
    if (step_.reason == Reason::kAtLeast || step_.reason == Reason::kAtMost) {
      while (!in.at_end()) {
        step_.items.push_back(in.take_place());
      }
      return status_of(std::move(in));
    }
    if (step_.reason != Reason::kFound) {
      step_.row = in.take_key(names_);
    }
    if (step_.reason == Reason::kVersion || step_.reason == Reason::kFractured) {
      step_.other = in.take_version(names_);
    }
    in.check_end();
    return status_of(std::move(in));
  }

  Status read_causes(json::Value array) {
    return read_all(array, step_.causes, [this](CertificateElements& in, LastWriter& cause) {
      cause.row = in.take_key(names_);
      cause.part = in.take_row_part(names_);
      cause.writer = in.take_version(names_);
      cause.reader = in.at_end() ? usual_reader(step_) : in.take_txn(names_);
    });
  }

  Status read_later(json::Value array) {
    return read_all(array, step_.later, [this](CertificateElements& in, LaterFinding& found) {
      found.txn = in.take_txn(names_);
      found.mop = in.take_place();
    });
  }

  json::Value line_;
  CertificateNames& names_;
  RowsProofStep& step_;
};

/// Reads a field that a header must have.
Status read_count(json::Value header, std::string_view field, std::uint64_t& count) {
  const auto value = json::find(header, field);
  const auto number = value && value->kind() == json::Kind::kNumber
                          ? integer_of<std::uint64_t>(value->text())
                          : std::nullopt;
  count = number.value_or(0);
  return number ? Status()
                : Status(fail(header, "expected a number as \"" + std::string(field) + "\""));
}

Status read_key_assumptions(json::Value words, Assumptions& assumptions) {
  CertificateElements elements(words);
  while (!elements.at_end()) {
    const std::string_view word = elements.take_word();
    const auto known =
        std::ranges::find(kKeyAssumptions, word, [](const auto& entry) { return entry.first; });
    if (known != kKeyAssumptions.end()) {
      assumptions.*known->second = true;
    } else {
      elements.fail(words, "expected wfr-keys, sequential-keys or linearizable-keys, found `" +
                               std::string(word) + "`");
    }
  }
  return status_of(std::move(elements));
}

/// Reads pairs of an index and a place. No index stands twice.
Status read_order(json::Value pairs, Assumptions& assumptions) {
  auto& order = assumptions.transaction_order;
  Status status = read_all(pairs, order, [](CertificateElements& in, auto& entry) {
    entry.first = in.take_integer();
    entry.second = in.take_integer();
  });
  std::vector<std::int64_t> indexes;
  for (const auto& [index, place] : order) {
    indexes.push_back(index);
  }
  std::ranges::sort(indexes);
  const auto twice = std::ranges::adjacent_find(indexes);
  return !status.ok() || twice == indexes.end()
             ? status
             : fail(pairs, "the transaction order has two places for " + std::to_string(*twice));
}

Status read_assumptions(json::Value header, Assumptions& assumptions) {
  const auto words = json::find(header, "assumptions");
  ELAPID_RETURN_IF_ERROR(words ? read_key_assumptions(*words, assumptions) : Status());
  const auto order = json::find(header, "transaction-order");
  return order ? read_order(*order, assumptions) : Status();
}

/// The word of a field; empty where there is no field, or no word in it.
std::string_view word_of(json::Value header, std::string_view field) {
  const auto value = json::find(header, field);
  return value && value->is_string() ? value->text() : std::string_view();
}

Status read_counts(json::Value header, Certificate& made) {
  Status status = read_count(header, "transactions", made.transactions);
  return status.ok() ? read_count(header, "operations", made.operations) : status;
}

/// Reads the claim that the model allows no prediction. The orders follow in later lines.
Status read_prediction_claim(json::Value header, Model model, Workload workload,
                             Certificate& made) {
  const std::optional<Model> target = find_model(word_of(header, "target"));
  const auto can_be_claimed = [](std::optional<Model> level) {
    const std::optional<OrderLevel> order = level ? order_level(*level) : std::nullopt;
    return order && order->sessions && !order->real_time &&
           order->visibility <= Visibility::kReadCommitted;
  };
  if (word_of(header, "predictions") != "none") {
    return fail(header, "expected none as \"predictions\"");
  }
  if (!can_be_claimed(model) || !can_be_claimed(target) ||
      order_level(*target)->visibility >= order_level(model)->visibility) {
    return fail(header,
                "expected a level with session order as \"model\", and a stronger one as "
                "\"target\"");
  }
  const std::string_view boundary = word_of(header, "boundary");
  if (boundary != "strict" && boundary != "relaxed") {
    return fail(header, "expected strict or relaxed as \"boundary\"");
  }
  if (workload == Workload::kRows || workload == Workload::kCasRegister) {
    return fail(header, "predictions exist for registers and lists only");
  }
  made.model = model;
  made.workload = workload;
  made.evidence = certify::NoPrediction{.level = order_level(model)->visibility,
                                        .target = order_level(*target)->visibility,
                                        .is_strict = boundary == "strict"};
  return read_counts(header, made);
}

/// Reads the claim, and makes room for evidence of the kind that it needs.
Status read_claim(json::Value header, Certificate& made) {
  const auto version = json::find(header, "elapid-certificate");
  if (version->kind() != json::Kind::kNumber || version->text() != "1") {
    return fail(header, "this program does not know the version of the certificate");
  }
  const auto workload = find_workload(word_of(header, "workload"));
  made.by_transaction = word_of(header, "model") == kByTransactionWord;
  const std::optional<Model> model =
      made.by_transaction ? Model::kPl2 : find_model(word_of(header, "model"));
  const bool is_of_objects =
      workload && model && !made.by_transaction && has_object_claims(*workload, *model);
  const bool is_of_levels = workload == Workload::kListAppend ||
                            workload == Workload::kRwRegister ||
                            workload == Workload::kCasRegister || workload == Workload::kRows;
  if (!is_of_levels && !is_of_objects) {
    return fail(header,
                "expected list-append, rw-register, cas-register or rows as \"workload\", or a "
                "workload of objects with one of its models");
  }
  if (!model || (!is_of_objects && !order_level(*model) && !cycle_level(*model))) {
    return fail(header, "expected a level that has certificates as \"model\"");
  }
  const bool has_mixes = workload == Workload::kListAppend || workload == Workload::kRwRegister;
  if (made.by_transaction && (!has_mixes || json::find(header, "predictions"))) {
    return fail(header, "levels by transaction exist for registers and lists, without predictions");
  }
  if (json::find(header, "predictions")) {
    return read_prediction_claim(header, *model, *workload, made);
  }
  const auto valid = json::find(header, "valid?");
  if (!valid || (valid->kind() != json::Kind::kTrue && valid->kind() != json::Kind::kFalse)) {
    return fail(header, "expected true or false as \"valid?\"");
  }
  if (json::find(header, "key") && !json::find(header, "key")->is_string()) {
    return fail(header, "expected a string of EDN as \"key\"");
  }
  made.model = *model;
  made.workload = *workload;
  made.key = word_of(header, "key");
  if (valid->kind() == json::Kind::kFalse) {
    if (is_of_objects) {
      made.evidence = ExhaustedSearch();
    } else if (made.workload == Workload::kRows) {
      made.evidence = RowsProofEvidence{.model = *model};
    } else {
      made.evidence = Refutation();
    }
  }
  return read_counts(header, made);
}

/// Builds certificates from lines.
class CertificateReader {
 public:
  explicit CertificateReader(const FindHistory& find_history) : find_history_(find_history) {}

  Status read(const json::Document& document) {
    const json::Value line = document.root();
    if (!line.is_object()) {
      return fail(line, "expected an object, found " + json::describe(line));
    }
    if (json::find(line, "elapid-certificate")) {
      const Status fields =
          json::find(line, "predictions")
              ? expect_fields(document, {"elapid-certificate", "model", "predictions", "target",
                                         "boundary", "workload", "transactions", "operations"})
              : expect_fields(document,
                              {"elapid-certificate", "model", "valid?", "workload", "key",
                               "assumptions", "transaction-order", "transactions", "operations"});
      return fields.ok() ? read_header(line) : fields;
    }
    auto* const search = evidence<ExhaustedSearch>();
    if (const auto core = json::find(line, "core"); core && search != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"core"}));
      return read_core(*core, *search);
    }
    auto* const witness = evidence<Witness>();
    if (const auto order = json::find(line, "order"); order && witness != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"order"}));
      return read_order(*order, order_level(certificates_.back().model), has_started_,
                        witness->order);
    }
    auto* const claim = evidence<certify::NoPrediction>();
    if (const auto order = json::find(line, "order"); order && claim != nullptr) {
      const Status fields = expect_fields(document, {"order"});
      std::vector<bool> has_started(has_started_.size(), false);
      return fields.ok() ? read_order(*order, OrderLevel{.visibility = claim->target}, has_started,
                                      claim->orders.emplace_back())
                         : fields;
    }
    if (const auto reads = json::find(line, "reads"); reads && witness != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"reads"}));
      return read_reads(*reads, *witness);
    }
    if (const auto beginning = json::find(line, "beginning"); beginning && witness != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"beginning"}));
      return read_beginning(*beginning, *witness);
    }
    if (const auto taken = json::find(line, "taken"); taken && witness != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"taken"}));
      return read_taken(*taken, *witness);
    }
    if (search != nullptr && search->txns.empty() && json::find(line, "clause")) {
      certificates_.back().evidence = Refutation();  // of objects: instead of a core
    }
    auto* const refutation = evidence<Refutation>();
    if (const auto clause = json::find(line, "clause"); clause && refutation != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(document, {"clause", "cycle"}));
      return read_step(*clause, json::find(line, "cycle"), *refutation);
    }
    auto* const proof = evidence<RowsProofEvidence>();
    if (const auto clause = json::find(line, "clause"); clause && proof != nullptr) {
      ELAPID_RETURN_IF_ERROR(expect_fields(
          document,
          {"clause", "found", "causes", "later", "overlap", "cycle", "meaning", "contents",
           "versions", "version", "written", "fractured", "at-least", "at-most"}));
      return read_row_step(line, *clause, *proof);
    }
    return fail(line, certificates_.empty() ? "expected the header of a certificate"
                                            : "expected a part of the evidence that its header "
                                              "announces, or another header");
  }

  /// All certificates. Names that their histories do not have are located in the source.
  std::vector<Certificate> take(ByteSource& source) && {
    keep_unknown_name();
    for (Certificate& certificate : certificates_) {
      if (certificate.unknown_name) {
        certificate.unknown_name = source.located(*std::move(certificate.unknown_name));
      }
    }
    return std::move(certificates_);
  }

 private:
  /// The evidence of the certificate being read, if it is of this kind.
  template <class Kind>
  [[nodiscard]] Kind* evidence() {
    return certificates_.empty() ? nullptr : std::get_if<Kind>(&certificates_.back().evidence);
  }

  /// Notes in the certificate that was read last which name its history does not have.
  void keep_unknown_name() {
    if (names_) {
      certificates_.back().unknown_name = names_->unknown();
    }
  }

  Status read_header(json::Value line) {
    keep_unknown_name();
    names_.reset();
    Certificate& made = certificates_.emplace_back();
    Status status = read_claim(line, made);
    if (status.ok()) {
      status = read_assumptions(line, made.assumptions);
    }
    ELAPID_RETURN_IF_ERROR(status);
    const History* history = find_history_(made.key);
    if (history == nullptr) {
      return fail(line, "the input has no history of this key");
    }
    names_.emplace(*history);
    has_started_.assign(history->txn_count(), false);
    return {};
  }

  /// A transaction with two events is named twice: at its start, then at its commit.
  Status read_order(json::Value array, std::optional<OrderLevel> level,
                    std::vector<bool>& has_started, std::vector<OrderEvent>& order) {
    const bool may_start = level && has_two_events(level->visibility);
    CertificateElements elements(array);
    while (!elements.at_end()) {
      const TxnId txn = elements.take_txn(*names_);
      const bool is_start =
          may_start && txn.index() < has_started.size() && !has_started[txn.index()];
      if (is_start) {
        has_started[txn.index()] = true;
      }
      order.push_back({txn, !is_start});
    }
    return status_of(std::move(elements));
  }

  Status read_core(json::Value array, ExhaustedSearch& search) {
    CertificateElements elements(array);
    while (!elements.at_end()) {
      search.txns.push_back(elements.take_txn(*names_));
    }
    return status_of(std::move(elements));
  }

  Status read_reads(json::Value array, Witness& witness) {
    return read_all(array, witness.reads, [this](CertificateElements& in, ReadFrom& read) {
      read.reader = in.take_txn(*names_);
      read.key = in.take_key(*names_);
      read.writer = in.take_version(*names_);
    });
  }

  Status read_beginning(json::Value array, Witness& witness) {
    return read_all(array, witness.beginning, [this](CertificateElements& in, PartAtFirst& part) {
      part.row = in.take_key(*names_);
      part.part = in.take_row_part(*names_);
      part.value = part.part == kRowExistence ? ValueId::integer(1) : in.take_value(*names_);
    });
  }

  Status read_taken(json::Value array, Witness& witness) {
    return read_all(array, witness.taken, [this](CertificateElements& in, TakenRow& one) {
      one.txn = in.take_txn(*names_);
      one.mop = in.take_place();
      one.row = in.take_key(*names_);
    });
  }

  Status read_step(json::Value clause, std::optional<json::Value> cycle, Refutation& refutation) {
    ProofStep& step = refutation.steps.emplace_back();
    Status status = read_all(clause, step.clause, [&](CertificateElements& in, Choice& choice) {
      read_choice(*names_, clause, in, choice);
    });
    if (!status.ok() || !cycle) {
      return status;
    }
    return read_all(*cycle, step.cycle, [&](CertificateElements& in, OrderEdge& edge) {
      read_edge(*names_, *cycle, in, edge);
    });
  }

  Status read_row_step(json::Value line, json::Value clause, RowsProofEvidence& proof) {
    RowsProofStep& step = proof.steps.emplace_back();
    Status status = read_all(clause, step.clause, [&](CertificateElements& in, RowsChoice& choice) {
      read_row_choice(*names_, clause, in, choice);
    });
    return status.ok() ? RowReason(line, *names_, step).read() : status;
  }

  const FindHistory& find_history_;
  std::vector<Certificate> certificates_;
  std::optional<CertificateNames> names_;  // of the certificate being read
  std::vector<bool> has_started_;          // by transaction, in the order read so far
};

}  // namespace

Result<std::vector<Certificate>> read_certificates(ByteSource& source,
                                                   const FindHistory& find_history) {
  json::ValueStream lines(source);
  CertificateReader reader(find_history);
  while (lines.next()) {
    if (Status status = reader.read(lines.document()); !status.ok()) {
      return source.located(std::move(status.error()));
    }
  }
  if (!lines.status().ok()) {
    return source.located(lines.status().error());
  }
  std::vector<Certificate> certificates = std::move(reader).take(source);
  if (certificates.empty()) {
    return Error{.message = "expected certificates, found nothing", .file = source.name()};
  }
  return certificates;
}

Result<std::vector<Certificate>> read_certificates(const std::string& path,
                                                   const FindHistory& find_history) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  return source ? read_certificates(*source.value(), find_history)
                : Result<std::vector<Certificate>>(std::move(source.error()));
}

}  // namespace elapid
