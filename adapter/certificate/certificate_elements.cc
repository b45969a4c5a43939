#include "adapter/certificate/certificate_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/ir/integer_text.h"
#include "engine/ir/utf8.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

namespace {

/// No history has this transaction. It differs from none(), which is the initial state.
constexpr TxnId kNoSuchTxn = {std::numeric_limits<std::uint32_t>::max() - 1};

constexpr std::size_t kLongestShown = 60;  // bytes

}  // namespace

TxnId CertificateNames::txn(std::uint64_t number, json::Value where) {
  if (number < history_->txn_count()) {
    return TxnId{static_cast<std::uint32_t>(number)};
  }
  note(where, fmt::format("there is no transaction number {}; the history has {}",
                          shortened(where.text(), kLongestShown), history_->txn_count()));
  return kNoSuchTxn;
}

KeyId CertificateNames::key(json::Value name) {
  const ValueId value = history_->values().find(name.text());
  const KeyId key = value.is_none() ? KeyId::none() : history_->find_key(value);
  if (key.is_none()) {
    note(name, fmt::format("the history has no key `{}`", shortened(name.text(), kLongestShown)));
  }
  return key;
}

ValueId CertificateNames::value(json::Value name) {
  const ValueId value = history_->values().find(name.text());
  if (value.is_none()) {
    note(name, fmt::format("the history has no value `{}`", shortened(name.text(), kLongestShown)));
  }
  return value;
}

std::uint32_t CertificateNames::row_part(json::Value name) {
  if (name.text() == "exists" || name.text() == "version") {
    return name.text() == "exists" ? kRowExistence : kRowVersion;
  }
  const rows::Rows* rows = history_->info().rows.get();
  const std::size_t columns = rows == nullptr ? 0 : rows->column_count();
  for (rows::ColumnId column{0}; column.index() < columns; ++column.value) {
    const ValueId known = rows->column_name(column);
    if ((known.is_none() ? std::string() : history_->text(known)) == name.text()) {
      return kFirstColumn + column.value;
    }
  }
  note(name, fmt::format("rows have no column `{}`", shortened(name.text(), kLongestShown)));
  return kFirstColumn + static_cast<std::uint32_t>(columns);
}

bool CertificateNames::is_by_predicate(TxnId txn, std::uint32_t mop) const {
  const rows::Rows* rows = history_->info().rows.get();
  return rows != nullptr && txn.index() < history_->txn_count() &&
         mop < history_->ops(txn).size() && rows->op(history_->ops(txn)[mop]).has_predicate();
}

void CertificateNames::note(json::Value where, std::string message) {
  if (!unknown_) {
    unknown_ = malformed_at(where.offset(), std::move(message));
  }
}

CertificateElements::CertificateElements(json::Value array)
    : array_(array), next_(array), end_(array) {
  if (!array.is_array()) {
    fail(array, "expected an array, found " + json::describe(array));
  } else {
    next_ = array.begin();
    end_ = array.end();
  }
}

std::optional<json::Value> CertificateElements::take(std::string_view expected) {
  if (error_) {
    return std::nullopt;
  }
  if (next_ == end_) {
    fail(array_, "expected " + std::string(expected) + " at the end of an array");
    return std::nullopt;
  }
  return std::exchange(next_, next_.next());
}

std::string_view CertificateElements::take_word() {
  const auto value = take("a word");
  if (value && !value->is_string()) {
    fail(*value, "expected a word, found " + json::describe(*value));
  }
  return value ? value->text() : std::string_view();
}

std::int64_t CertificateElements::take_integer() {
  const auto value = take("an integer");
  if (!value) {
    return 0;
  }
  const std::optional<std::int64_t> number = integer_of(value->text());
  if (value->kind() != json::Kind::kNumber || !number) {
    fail(*value, "expected an integer, found " + json::describe(*value));
  }
  return number.value_or(0);
}

TxnId CertificateElements::take_txn(CertificateNames& names) {
  const auto value = take("the number of a transaction");
  return value ? txn(*value, names) : TxnId::none();
}

TxnId CertificateElements::take_version(CertificateNames& names) {
  const auto value = take("the number of a transaction, or null");
  return value && !value->is_null() ? txn(*value, names) : TxnId::none();
}

KeyId CertificateElements::take_key(CertificateNames& names) {
  const auto value = take("a key");
  if (!value) {
    return KeyId::none();
  }
  if (!value->is_string()) {
    fail(*value, "expected a key as a string of EDN, found " + json::describe(*value));
    return KeyId::none();
  }
  return names.key(*value);
}

KeyId CertificateElements::take_key_or_null(CertificateNames& names) {
  if (at_end() || !next_.is_null()) {
    return take_key(names);
  }
  take("null");
  return KeyId::none();
}

OrderEvent CertificateElements::take_event(CertificateNames& names) {
  const auto value = take("the number of a transaction");
  if (!value || !value->is_array()) {
    return {value ? txn(*value, names) : TxnId::none(), true};
  }
  CertificateElements inner(*value);
  if (const std::string_view word = inner.take_word(); word != "start") {
    inner.fail(*value, "expected start, found `" + std::string(word) + "`");
  }
  const OrderEvent event = {inner.take_txn(names), false};
  inner.check_end();
  error_ = std::move(inner).error();
  return event;
}

OrderEvent CertificateElements::take_event_or_null(CertificateNames& names) {
  if (at_end() || !next_.is_null()) {
    return take_event(names);
  }
  take("null");
  return {.txn = TxnId::none()};
}

std::uint32_t CertificateElements::take_row_part(CertificateNames& names) {
  const auto value = take("a part of a row");
  if (!value) {
    return 0;
  }
  if (!value->is_string()) {
    fail(*value, "expected a part of a row as a string, found " + json::describe(*value));
    return 0;
  }
  return names.row_part(*value);
}

ValueId CertificateElements::take_value(CertificateNames& names) {
  const auto value = take("a value");
  if (!value || value->kind() == json::Kind::kNull) {
    return ValueId::none();
  }
  if (!value->is_string()) {
    fail(*value, "expected a value as a string of EDN, found " + json::describe(*value));
    return ValueId::none();
  }
  return names.value(*value);
}

std::uint32_t CertificateElements::take_place() {
  const auto value = take("the place of an operation");
  const std::uint64_t place = value ? natural(*value, "the place of an operation") : 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(place, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t CertificateElements::take_way() {
  if (at_end() || !next_.is_string()) {
    return take_place();
  }
  const json::Value where = next_;
  const std::string_view word = take_word();
  if (word != "found" && word != "missed") {
    fail(where, "expected found or missed, found `" + std::string(word) + "`");
  }
  return word == "found" ? kAsFound : kAsMissed;
}

std::uint32_t CertificateElements::take_length() {
  if (at_end()) {
    return 0;
  }
  const std::uint64_t length = natural(*take("a length"), "a length");
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(length, std::numeric_limits<std::uint32_t>::max()));
}

void CertificateElements::check_end() {
  if (!at_end()) {
    fail(next_, "expected the end of an array, found " + json::describe(next_));
  }
}

void CertificateElements::fail(json::Value where, std::string message) {
  if (!error_) {
    error_ = malformed_at(where.offset(), std::move(message));
  }
}

TxnId CertificateElements::txn(json::Value value, CertificateNames& names) {
  const std::uint64_t number = natural(value, "the number of a transaction");
  return error_ ? TxnId::none() : names.txn(number, value);
}

std::uint64_t CertificateElements::natural(json::Value value, std::string_view expected) {
  std::uint64_t number = 0;
  const std::string_view text = value.text();
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (value.kind() != json::Kind::kNumber || status == std::errc::invalid_argument ||
      end != text.data() + text.size()) {
    fail(value, "expected " + std::string(expected) + ", found " + json::describe(value));
  }
  return status == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max()
                                                  : number;
}

}  // namespace elapid
