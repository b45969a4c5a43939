#include "tests/reference/plain_bank.h"

#include <algorithm>
#include <cmath>

namespace elapid {

namespace {

struct PlainError {
  std::string type;
  std::string detail;
  std::int64_t total = 0;
  double badness = 0;
  std::size_t op = 0;
};

std::string map_of(const PlainError& error) {
  return "{type " + error.type + " " + error.detail + " op op " + std::to_string(error.op) + "}";
}

std::int64_t number(const std::string& text) {
  return text == "nil" ? 0 : std::stoll(text);
}

std::int64_t sum_of(const PlainCall& read) {
  std::int64_t sum = 0;
  for (std::size_t at = 1; at < read.elements.size(); at += 2) {
    sum += number(read.elements[at]);
  }
  return sum;
}

/// The error of one read, if it has one.
std::optional<PlainError> error_of(const PlainCall& read, std::size_t place,
                                   const std::vector<std::string>& accounts, std::int64_t total,
                                   bool may_be_negative) {
  std::string unexpected;
  std::string nils;
  std::string negative;
  std::int64_t unexpected_count = 0;
  std::int64_t nil_count = 0;
  std::int64_t negative_sum = 0;
  for (std::size_t at = 0; at + 1 < read.elements.size(); at += 2) {
    const std::string& account = read.elements[at];
    const std::string& amount = read.elements[at + 1];
    if (std::ranges::find(accounts, account) == accounts.end()) {
      unexpected += (unexpected.empty() ? "" : " ") + account;
      ++unexpected_count;
    }
    if (amount == "nil") {
      nils += (nils.empty() ? "" : " ") + account + " nil";
      ++nil_count;
    } else if (number(amount) < 0) {
      negative += (negative.empty() ? "" : " ") + amount;
      negative_sum += number(amount);
    }
  }
  const std::int64_t sum = sum_of(read);
  if (unexpected_count > 0) {
    return PlainError{"unexpected-key", "unexpected (" + unexpected + ")", 0,
                      static_cast<double>(unexpected_count), place};
  }
  if (nil_count > 0) {
    return PlainError{"nil-balance", "nils {" + nils + "}", 0, static_cast<double>(nil_count),
                      place};
  }
  if (sum != total) {
    const double quotient = static_cast<double>(sum - total) / static_cast<double>(total);
    return PlainError{"wrong-total", "total " + std::to_string(sum), sum,
                      total > 0 ? std::fabs(static_cast<float>(quotient)) : 0, place};
  }
  if (negative_sum < 0 && !may_be_negative) {
    return PlainError{"negative-value", "negative (" + negative + ")", 0,
                      static_cast<double>(-negative_sum), place};
  }
  return std::nullopt;
}

/// The first of those with the greatest value.
template <class ValueOf>
const PlainError& first_greatest(const std::vector<PlainError>& errors, ValueOf value_of) {
  const PlainError* best = &errors.front();
  for (const PlainError& error : errors) {
    best = value_of(error) > value_of(*best) ? &error : best;
  }
  return *best;
}

std::string group_text(const std::vector<PlainError>& errors) {
  std::string text = "{count " + std::to_string(errors.size()) + " first " +
                     map_of(errors.front()) + " worst " +
                     map_of(first_greatest(errors, [](const PlainError& e) { return e.badness; })) +
                     " last " + map_of(errors.back());
  if (errors.front().type == "wrong-total") {
    text +=
        " lowest " + map_of(first_greatest(errors, [](const PlainError& e) { return -e.total; })) +
        " highest " + map_of(first_greatest(errors, [](const PlainError& e) { return e.total; }));
  }
  return text + "}";
}

}  // namespace

PlainVerdict check_plain_bank(const std::vector<PlainCall>& calls, const PlainBank& bank,
                              bool is_jepsen) {
  std::vector<std::size_t> reads;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    const PlainCall& call = calls[place];
    if (call.type == "ok" && call.f == "read" && (is_jepsen || !call.is_nil)) {
      reads.push_back(place);
    }
  }
  if (reads.empty() && !is_jepsen) {
    return {"unknown", "error no :read shows balances\n"};
  }
  const bool sums_nil = is_jepsen && !bank.total && !reads.empty() &&
                        std::ranges::count(calls[reads.front()].elements, "nil") > 0;
  if (sums_nil) {
    return {"unknown", "error Jepsen's checker throws: a balance of the first read is nil\n"};
  }
  std::vector<std::string> accounts = bank.accounts;
  std::int64_t total = bank.total.value_or(0);
  if (!reads.empty()) {
    const PlainCall& first = calls[reads.front()];
    for (std::size_t at = 0; bank.accounts.empty() && at < first.elements.size(); at += 2) {
      accounts.push_back(first.elements[at]);
    }
    total = bank.total.value_or(sum_of(first));
  }
  std::vector<PlainError> all;
  for (const std::size_t read : reads) {
    if (auto error = error_of(calls[read], read, accounts, total, bank.may_be_negative)) {
      all.push_back(*error);
    }
  }
  std::string by_type;
  std::vector<std::string> told;
  for (const PlainError& error : all) {
    if (std::ranges::find(told, error.type) == told.end()) {
      told.push_back(error.type);
      std::vector<PlainError> same;
      std::ranges::copy_if(all, std::back_inserter(same),
                           [&](const PlainError& other) { return other.type == error.type; });
      by_type += (by_type.empty() ? "" : " ") + error.type + " " + group_text(same);
    }
  }
  return {all.empty() ? "true" : "false",
          "read-count " + std::to_string(reads.size()) + "\nerror-count " +
              std::to_string(all.size()) + "\nfirst-error " +
              (all.empty() ? "nil" : map_of(all.front())) + "\nerrors {" + by_type + "}\n"};
}

}  // namespace elapid
