#include "parsers/door/availability.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

namespace elapid {

namespace {

/// The share that the text denotes; nothing for nil and other text.
std::optional<double> share_of(std::string_view text) {
  double share = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, share);
  return error == std::errc() && last == end && share >= 0 && share <= 1 ? std::optional(share)
                                                                         : std::nullopt;
}

}  // namespace

Result<double> parse_availability(std::string_view typed) {
  const std::optional<double> share = typed == "total" ? 1.0 : share_of(typed);
  return share ? Result<double>(*share)
               : usage_error(fmt::format(
                     "expected total, or a share of operations from 0 to 1, found '{}'", typed));
}

std::optional<double> Availability::demanded(const CheckJob& job, const TestMap& test) {
  const auto told = test.find(":availability");
  if (job.availability || job.check.assumptions.elle_compat || told == test.end()) {
    return job.availability;
  }
  return told->second == ":total" ? 1.0 : share_of(told->second);
}

Availability::Availability(const CheckJob& job, std::span<const LoadedHistory> histories)
    : demanded_(demanded(job, histories.empty() ? TestMap() : histories.front().test())),
      is_given_(job.availability.has_value()) {
  constexpr auto kSucceeded = static_cast<std::size_t>(TxnStatus::kCommitted);
  for (std::size_t i = 0; demanded_ && i < histories.size(); ++i) {
    const History& history = histories[i].history();
    const HistorySize size = history.size_read();
    const std::uint64_t made_up = history.info().initial_txn.is_none() ? 0 : 1;
    begun_ += size.transactions() - made_up;
    succeeded_ += size.by_status.at(kSucceeded) - made_up;
  }
}

void Availability::judge(Verdict& verdict) const {
  if (!demanded_) {
    return;
  }
  verdict.entries.push_back(
      {"elapid/availability",
       ResultValue::map({{"valid?", ResultValue::boolean(is_enough())},
                         {"ok-fraction", ResultValue::form(fmt::format("{}", share()))},
                         {"demanded", ResultValue::form(fmt::format("{}", *demanded_))},
                         {"source", ResultValue::keyword(is_given_ ? "given" : "test-map")}})});
  if (is_enough()) {
    return;
  }
  const std::string demanded = *demanded_ == 1 ? "all" : fmt::format("{} of them", *demanded_);
  verdict.findings.push_back(
      {.name = std::string(kUnavailable),
       .gloss = "fewer operations succeeded than the test demands",
       .claims = {{.says = phrase("The test demands that {} succeed.", demanded)},
                  {.says = phrase("However, {} of {} operations succeeded: not available!",
                                  std::to_string(succeeded_), std::to_string(begun_))}}});
  verdict.of_claims = verdict.validity;
  verdict.validity = Validity::kInvalid;
  verdict.unknown_because.reset();
}

}  // namespace elapid
