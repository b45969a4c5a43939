// bank: single operations :transfer money between accounts, and :read shows all balances.
//
//   {:type :ok, :f :transfer, :value {:from 0, :to 1, :amount 5}}
//   {:type :ok, :f :read, :value {0 5, 1 15}}
//
// Money is neither made nor lost: each read shows the same total, no other accounts, and no balance
// below zero unless the request allows it. As in Jepsen, a read may lack accounts. Accounts and
// total come from the request, or else from the first read (bank_errors.h).
//
// After jepsen.tests.bank and elle-cli's checker, with their keys in the result. They ignore
// transfers. In a history, a transfer is three appends: of the source account, of the target
// account, and of the amount. A read is one value, the map.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

#include "engine/linearize/judged_object.h"
#include "engine/workloads/bank/bank_errors.h"
#include "engine/workloads/bank/bank_object.h"
#include "engine/workloads/bank/bank_result.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

constexpr WorkloadType kBankType = {
    .name = "bank", .has_transactions = false, .has_own_values = true};

/// A history with only reads of maps is that of a bank whose transfers are not recorded.
std::string_view recognise_bank(const Clues& clues) {
  if (!clues.call("read").has_map) {
    return "";
  }
  const bool is_alone = clues.is_whole && clues.calls.size() == 1 && !clues.has_read;
  return clues.has_call("transfer") ? "money is transferred, and a :read shows balances"
         : is_alone                 ? "each :read shows a map, as of balances"
                                    : "";
}

std::string not_a(std::string_view what, const Call& call) {
  return "expected " + std::string(what) + " as the :value of this :" + std::string(call.f) +
         ", found " + std::string(call.value.value_or("nil"));
}

/// A completion need not repeat the transfer.
std::string decode_transfer(const Call& call, DecodedCall& out) {
  const std::vector<std::string_view> map = map_of(call.value ? std::string_view(*call.value) : "");
  const std::array parts = {entry_of(map, ":from"), entry_of(map, ":to"), entry_of(map, ":amount")};
  if (std::ranges::none_of(parts, &std::string_view::empty)) {
    for (const std::string_view part : parts) {
      out.mops.push_back({.kind = OpKind::kAppend, .value = out.values.intern(part)});
    }
    return {};
  }
  if (call.type == EventType::kInvoke) {
    return not_a("{:from account, :to account, :amount number}", call);
  }
  out.mops.assign(call.invoked);
  return {};
}

bool is_balance(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return text == "nil" || (parsed.ec == std::errc() && parsed.ptr == end);
}

std::string decode_balances(const Call& call, DecodedCall& out) {
  if (call.type != EventType::kOk || !call.value) {
    out.mops.push_back({.kind = OpKind::kRead});
    return {};
  }
  FormCursor shown(*call.value);
  bool is_map = shown.enter('{');
  while (is_map && !shown.leave()) {
    shown.next();
    is_map = is_balance(shown.next());
  }
  if (!is_map) {
    return not_a("a map from accounts to integers", call);
  }
  out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(*call.value)});
  return {};
}

std::string decode_bank(const Call& call, DecodedCall& out) {
  if (call.f == "transfer") {
    return decode_transfer(call, out);
  }
  if (call.f == "read") {
    return decode_balances(call, out);
  }
  decode_other(call, out);
  return {};
}

bool is_bank_operation(std::span<const Op> ops) {
  return ops.empty() || ops.front().kind() != OpKind::kOther;
}

std::vector<std::string> accounts_shown(const History& history, TxnId read) {
  std::vector<std::string> accounts;
  Balances shown(history);
  for (const Balance& balance : shown.of(read)) {
    accounts.emplace_back(balance.account);
  }
  return accounts;
}

bool shows_nil(const History& history, TxnId read) {
  Balances shown(history);
  return std::ranges::any_of(shown.of(read),
                             [](const Balance& balance) { return !balance.amount; });
}

Verdict left_open(std::string why, bool elle_compat) {
  Verdict verdict = {.engine = "bank"};
  verdict.assumptions.elle_compat = elle_compat;
  verdict.validity = Validity::kUnknown;
  verdict.entries = {{"error", why}};
  verdict.unknown_because = std::move(why);
  return verdict;
}

/// The rules of the request, completed from the first read. Nothing if the first read's total needs
/// more than 64 bits.
std::optional<BankRules> rules_of(const History& history, const JudgeRequest& request,
                                  std::span<const TxnId> reads) {
  const WorkloadSettings& settings = request.settings;
  const std::vector<std::string> shown =
      reads.empty() ? std::vector<std::string>() : accounts_shown(history, reads.front());
  const bool is_of_json =
      std::ranges::all_of(shown, [](std::string_view account) { return account.starts_with(':'); });
  BankRules rules = {.accounts = settings.accounts.empty() ? shown : settings.accounts,
                     .may_be_negative = settings.negative_balances,
                     .knows_keywords = is_of_json && !request.elle_compat};
  std::ranges::sort(rules.accounts);
  const std::optional<std::int64_t> total = settings.total_amount ? settings.total_amount
                                            : reads.empty()       ? 0
                                                            : total_of(history, reads.front());
  if (!total) {
    return std::nullopt;
  }
  rules.total = *total;
  return rules;
}

Result<Verdict> judge_bank(const History& history, const JudgeRequest& request) {
  if (!request.elle_compat) {
    if (auto error =
            linearize::refuse_foreign(history, is_bank_operation, ":transfer and :read of bank")) {
      return *error;
    }
  }
  const std::vector<TxnId> reads = bank_reads(history, request.elle_compat);
  if (reads.empty() && !request.elle_compat) {
    return left_open("no :read shows balances", request.elle_compat);
  }
  if (request.elle_compat && !request.settings.total_amount && !reads.empty() &&
      shows_nil(history, reads.front())) {
    return left_open("Jepsen's checker throws: a balance of the first read is nil", true);
  }
  const std::optional<BankRules> rules = rules_of(history, request, reads);
  const auto errors = rules ? bank_errors(history, reads, *rules) : std::nullopt;
  if (!errors) {
    return left_open("the balances of a :read add up to more than 64 bits hold",
                     request.elle_compat);
  }
  BankCheck found = {.history = history,
                     .rules = *rules,
                     .settings = request.settings,
                     .reads = reads,
                     .errors = *errors};
  const TxnId first = reads.empty() ? TxnId::none() : reads.front();
  found.total_of = request.settings.total_amount ? TxnId::none() : first;
  found.accounts_of = request.settings.accounts.empty() ? first : TxnId::none();
  Verdict verdict = {.engine = "bank"};
  verdict.assumptions.elle_compat = request.elle_compat;
  verdict.validity = errors->empty() ? Validity::kValid : Validity::kInvalid;
  verdict.complete = true;
  verdict.entries = bank_entries(found);
  if (!request.elle_compat) {
    verdict.entries.push_back(bank_settings(found));
  }
  verdict.findings = bank_findings(found);
  return verdict;
}

}  // namespace

/// The judgement is O(n log n) in operations and linear in balances.
WorkloadRow bank_row() {
  return {.workload = Workload(kBankType),
          .recognise = recognise_bank,
          .decode = decode_bank,
          .judge = judge_bank,
          .general = GeneralClaim{.model = Model::kPlSs, .judge = judge_bank_object},
          .claim_lasts = [](const History&) { return true; }};
}

}  // namespace elapid
