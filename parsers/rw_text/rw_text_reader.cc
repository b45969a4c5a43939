#include "parsers/rw_text/rw_text_format.h"

#include <string_view>
#include <utility>

#include "parsers/jepsen/edn_format.h"
#include "parsers/rw_text/rw_text_pass.h"

namespace elapid {

namespace {

constexpr std::string_view kByValue = "by value, unique for a key";
constexpr std::string_view kNotRecorded = "not recorded";
constexpr std::string_view kMinusOne = "transaction -1: each of its writes is one";

constexpr RwTextRules kRwTextRules = {
    .format = &kRwTextFormat,
    .initial_txn = RwTextRules::InitialTxn::kUnlessAborted,
    .meaning = {.initial = "0, unless the first transaction writes every key",
                .reads = kByValue,
                .aborted = kMinusOne,
                .indeterminate = kNotRecorded}};

constexpr RwTextRules kPolysiRules = {.format = &kPolysiFormat,
                                      .negative_txns = false,
                                      .zero_writes = false,
                                      .initial_txn = RwTextRules::InitialTxn::kNever,
                                      .meaning = {.initial = "0, which is never written",
                                                  .reads = kByValue,
                                                  .aborted = kNotRecorded,
                                                  .indeterminate = kNotRecorded}};

constexpr RwTextRules kPlumeRules = {
    .format = &kPlumeFormat,
    .initial_txn = RwTextRules::InitialTxn::kNever,
    .meaning = {
        .initial = "0", .reads = kByValue, .aborted = kMinusOne, .indeterminate = kNotRecorded}};

constexpr RwTextRules kIsovistaRules = {
    .format = &kIsovistaFormat,
    .initial_txn = RwTextRules::InitialTxn::kAlways,
    .meaning = {.initial = "0, unless the first transaction writes every key",
                .reads = kByValue,
                .aborted = kMinusOne,
                .indeterminate = kNotRecorded}};

/// Reads the text until the plan of a pass is right; at most three times.
Result<History> read_by(const RwTextRules& rules, Sources& sources, const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  for (RwTextPlan plan;;) {
    ELAPID_RETURN_IF_ERROR(source->rewind());
    RwTextPass pass(*source, rules, plan, options);
    if (Status status = pass.read(); !status.ok()) {
      return sources.located(0, std::move(status.error()));
    }
    if (pass.plan_holds()) {
      return std::move(pass).finish(sources);
    }
    plan = pass.plan();
  }
}

/// Whether the first character behind white space begins an EDN map.
Result<bool> begins_map(ByteSource& source) {
  ELAPID_RETURN_IF_ERROR(source.rewind());
  Window window(source);
  const std::string_view text = window.ahead(1);
  const std::size_t first = text.find_first_not_of(" \t\r\n,");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace

Result<History> read_rw_text(Sources& sources, const std::string& /*dialect*/,
                             const ReadOptions& options) {
  return read_by(kRwTextRules, sources, options);
}

Result<History> read_polysi(Sources& sources, const std::string& dialect,
                            const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  Result<bool> is_elle = dialect.empty() ? begins_map(*source) : dialect == "elle";
  if (!is_elle) {
    return sources.located(0, std::move(is_elle.error()));
  }
  return is_elle.value() ? read_edn_history(*source, options)
                         : read_by(kPolysiRules, sources, options);
}

Result<History> read_plume(Sources& sources, const std::string& /*dialect*/,
                           const ReadOptions& options) {
  return read_by(kPlumeRules, sources, options);
}

Result<History> read_isovista(Sources& sources, const std::string& /*dialect*/,
                              const ReadOptions& options) {
  return read_by(kIsovistaRules, sources, options);
}

}  // namespace elapid
