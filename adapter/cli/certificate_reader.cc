#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "adapter/cli/certificate.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

constexpr std::array<std::string_view, 5> kRelations = {"ww", "wr", "rw", "process", "realtime"};

/// Walks over the elements of an array and keeps the first error, after which nothing is found.
class Elements {
 public:
  explicit Elements(json::Value array) : array_(array), next_(array), end_(array) {
    if (!array.is_array()) {
      fail(array, "expected an array, found " + json::describe(array));
    } else {
      next_ = array.begin();
      end_ = array.end();
    }
  }

  [[nodiscard]] bool at_end() const { return error_ || next_ == end_; }

  [[nodiscard]] std::optional<Error> error() && { return std::move(error_); }

  /// The next element; nothing, with an error, at the end.
  std::optional<json::Value> take(std::string_view expected) {
    if (error_) {
      return std::nullopt;
    }
    if (next_ == end_) {
      fail(array_, "expected " + std::string(expected) + " at the end of an array");
      return std::nullopt;
    }
    return std::exchange(next_, next_.next());
  }

  std::string_view take_word() {
    const auto value = take("a word");
    if (value && !value->is_string()) {
      fail(*value, "expected a word, found " + json::describe(*value));
    }
    return value ? value->text() : std::string_view();
  }

  TxnId take_txn() {
    const auto value = take("the number of a transaction");
    return value ? txn(*value) : TxnId::none();
  }

  /// 0 if there is none.
  std::uint32_t take_length() {
    return error_ || next_ == end_ ? 0 : number<std::uint32_t>(*take("a length"), "a length");
  }

  std::int64_t take_integer() {
    const auto value = take("an integer");
    return value ? number<std::int64_t>(*value, "an integer") : 0;
  }

  /// Likewise; null is none().
  TxnId take_version() {
    const auto value = take("the number of a transaction, or null");
    return value && !value->is_null() ? txn(*value) : TxnId::none();
  }

  /// A key that the history does not have is none(), which proves nothing.
  KeyId take_key(const History& history) {
    const auto value = take("a key");
    if (value && !value->is_string()) {
      fail(*value, "expected a key as a string of EDN, found " + json::describe(*value));
    }
    const ValueId name = value ? history.values().find(value->text()) : ValueId::none();
    return name.is_none() ? KeyId::none() : history.find_key(name);
  }

  void check_end() {
    if (!error_ && next_ != end_) {
      fail(next_, "expected the end of an array, found " + json::describe(next_));
    }
  }

  void fail(json::Value where, std::string message) {
    if (!error_) {
      error_ = malformed_at(where.offset(), std::move(message));
    }
  }

 private:
  TxnId txn(json::Value value) {
    return TxnId{number<std::uint32_t>(value, "the number of a transaction")};
  }

  template <class Number>
  Number number(json::Value value, std::string_view expected) {
    Number number = 0;
    const std::string_view text = value.text();
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (value.kind() != json::Kind::kNumber || status != std::errc() ||
        end != text.data() + text.size()) {
      fail(value, "expected " + std::string(expected) + ", found " + json::describe(value));
    }
    return number;
  }

  json::Value array_;
  json::Value next_;
  json::Value end_;
  std::optional<Error> error_;
};

/// Reads each element of an array with `read(Elements&, Item&)`.
template <class Item, class Read>
Status read_all(json::Value array, std::vector<Item>& items, Read read) {
  Elements elements(array);
  while (!elements.at_end()) {
    Elements inner(*elements.take("an array"));
    read(inner, items.emplace_back());
    inner.check_end();
    if (std::optional<Error> error = std::move(inner).error()) {
      return *std::move(error);
    }
  }
  const std::optional<Error> error = std::move(elements).error();
  return error ? Status(*error) : Status();
}

void read_choice(const History& history, json::Value where, Elements& in, Choice& choice) {
  std::string_view word = in.take_word();
  choice.holds = word != "not";
  if (!choice.holds) {
    word = in.take_word();
  }
  choice.first = in.take_txn();
  if (word == "before") {
    choice.kind = Choice::Kind::kBefore;
    choice.second = in.take_txn();
  } else if (word == "reads") {
    choice.kind = Choice::Kind::kReads;
    choice.key = in.take_key(history);
    choice.second = in.take_version();
    choice.length = in.take_length();
  } else if (word == "took-effect") {
    choice.kind = Choice::Kind::kTookEffect;
  } else {
    in.fail(where, "expected before, reads or took-effect, found `" + std::string(word) + "`");
  }
}

void read_edge(const History& history, json::Value where, Elements& in, OrderEdge& edge) {
  const std::string_view word = in.take_word();
  const auto relation = std::ranges::find(kRelations, word);
  if (relation == kRelations.end()) {
    in.fail(where, "expected ww, wr, rw, process or realtime, found `" + std::string(word) + "`");
    return;
  }
  edge.relation = static_cast<Relation>(relation - kRelations.begin());
  edge.from = in.take_txn();
  edge.to = in.take_txn();
  if (edge.relation <= Relation::kRw) {
    edge.key = in.take_key(history);
  }
  if (edge.relation == Relation::kRw) {
    edge.overwritten = in.take_version();
  }
}

/// Builds certificates from lines.
class CertificateReader {
 public:
  explicit CertificateReader(const FindHistory& find_history) : find_history_(find_history) {}

  Status read(json::Value line) {
    if (!line.is_object()) {
      return fail(line, "expected an object, found " + json::describe(line));
    }
    if (json::find(line, "elapid-certificate")) {
      return read_header(line);
    }
    if (const auto order = json::find(line, "order"); order && witness() != nullptr) {
      return read_order(*order);
    }
    if (const auto reads = json::find(line, "reads"); reads && witness() != nullptr) {
      return read_reads(*reads);
    }
    if (const auto clause = json::find(line, "clause"); clause && refutation() != nullptr) {
      return read_step(*clause, json::find(line, "cycle"));
    }
    return fail(line, certificates_.empty() ? "expected the header of a certificate"
                                            : "expected a part of the evidence that its header "
                                              "announces, or another header");
  }

  std::vector<Certificate> take() && { return std::move(certificates_); }

 private:
  static Error fail(json::Value where, std::string message) {
    return malformed_at(where.offset(), std::move(message));
  }

  [[nodiscard]] Witness* witness() {
    return certificates_.empty() ? nullptr : std::get_if<Witness>(&certificates_.back().evidence);
  }

  [[nodiscard]] Refutation* refutation() {
    return certificates_.empty() ? nullptr
                                 : std::get_if<Refutation>(&certificates_.back().evidence);
  }

  Status read_header(json::Value line) {
    const auto text = [&](std::string_view name) {
      const auto value = json::find(line, name);
      return value ? value->text() : std::string_view();
    };
    const auto count = [&](std::string_view name) {
      std::uint64_t number = 0;
      const std::string_view digits = text(name);
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      return number;
    };
    if (text("elapid-certificate") != "1") {
      return fail(line, "the version of a certificate is not one that this program knows");
    }
    const std::optional<Model> model = find_model(text("model"));
    const auto valid = json::find(line, "valid?");
    const bool is_list = text("workload") == "list-append";
    if (!model || !order_level(*model)) {
      return fail(line, "expected a level that an order defines as \"model\"");
    }
    if (!valid || (valid->kind() != json::Kind::kTrue && valid->kind() != json::Kind::kFalse)) {
      return fail(line, "expected true or false as \"valid?\"");
    }
    if (!is_list && text("workload") != "rw-register") {
      return fail(line, "expected list-append or rw-register as \"workload\"");
    }
    Certificate& made = certificates_.emplace_back();
    made.model = *model;
    made.data_model = is_list ? DataModel::kListAppend : DataModel::kRwRegister;
    made.key = text("key");
    made.transactions = count("transactions");
    made.operations = count("operations");
    if (valid->kind() == json::Kind::kFalse) {
      made.evidence = Refutation();
    }
    if (Status status = read_assumptions(line, made.assumptions); !status.ok()) {
      return status;
    }
    history_ = find_history_(made.key);
    has_started_.clear();
    return history_ != nullptr ? Status()
                               : Status(fail(line, "the input has no history of this key"));
  }

  static Status read_assumptions(json::Value line, Assumptions& assumptions) {
    if (const auto words = json::find(line, "assumptions")) {
      Elements elements(*words);
      while (!elements.at_end()) {
        const std::string_view word = elements.take_word();
        const auto known =
            std::ranges::find(kKeyAssumptions, word, [](const auto& entry) { return entry.first; });
        if (known != kKeyAssumptions.end()) {
          assumptions.*known->second = true;
        } else {
          elements.fail(*words, "expected wfr-keys, sequential-keys or linearizable-keys, found `" +
                                    std::string(word) + "`");
        }
      }
      if (std::optional<Error> error = std::move(elements).error()) {
        return *std::move(error);
      }
    }
    const auto order = json::find(line, "transaction-order");
    return order ? read_all(*order, assumptions.transaction_order,
                            [](Elements& in, std::pair<std::int64_t, std::int64_t>& entry) {
                              entry.first = in.take_integer();
                              entry.second = in.take_integer();
                            })
                 : Status();
  }

  /// Where a transaction has two events, it is named twice: start, then commit.
  Status read_order(json::Value array) {
    const Visibility visibility = order_level(certificates_.back().model)->visibility;
    has_started_.resize(history_->txn_count());
    Elements elements(array);
    while (!elements.at_end()) {
      const TxnId txn = elements.take_txn();
      const bool is_start = has_two_events(visibility) && txn.index() < has_started_.size() &&
                            !has_started_[txn.index()];
      if (is_start) {
        has_started_[txn.index()] = true;
      }
      witness()->order.push_back({txn, !is_start});
    }
    const std::optional<Error> error = std::move(elements).error();
    return error ? Status(*error) : Status();
  }

  Status read_reads(json::Value array) {
    return read_all(array, witness()->reads, [this](Elements& in, ReadFrom& read) {
      read.reader = in.take_txn();
      read.key = in.take_key(*history_);
      read.writer = in.take_version();
    });
  }

  Status read_step(json::Value clause, std::optional<json::Value> cycle) {
    ProofStep& step = refutation()->steps.emplace_back();
    Status status = read_all(clause, step.clause, [&](Elements& in, Choice& choice) {
      read_choice(*history_, clause, in, choice);
    });
    if (!status.ok() || !cycle) {
      return status;
    }
    return read_all(*cycle, step.cycle,
                    [&](Elements& in, OrderEdge& edge) { read_edge(*history_, *cycle, in, edge); });
  }

  const FindHistory& find_history_;
  std::vector<Certificate> certificates_;
  const History* history_ = nullptr;  // of the certificate being read
  std::vector<bool> has_started_;     // by transaction, in its order so far
};

}  // namespace

Result<std::vector<Certificate>> read_certificates(const std::string& path,
                                                   const FindHistory& find_history) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) {
    return std::move(source.error());
  }
  json::ValueStream lines(*source.value());
  CertificateReader reader(find_history);
  while (lines.next()) {
    if (Status status = reader.read(lines.value()); !status.ok()) {
      return source.value()->located(std::move(status.error()));
    }
  }
  if (!lines.status().ok()) {
    return source.value()->located(lines.status().error());
  }
  std::vector<Certificate> certificates = std::move(reader).take();
  if (certificates.empty()) {
    return Error{.message = "expected certificates, found nothing", .file = path};
  }
  return certificates;
}

}  // namespace elapid
