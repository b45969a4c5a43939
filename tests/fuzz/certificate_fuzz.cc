// Certificates: of any history and any bytes, `elapid certify` accepts what is so, rejects the
// rest, or says in one line what it cannot read. An input is a history in EDN, a line `----`, and
// the file of certificates.
#include <cstdlib>
#include <string>
#include <variant>

#include "adapter/certificate/certificate.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "tests/fuzz/harness.h"
#include "tests/oracle/truth.h"

namespace elapid {
namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Brute force decides if it is quick.
void compare(const Certificate& certificate, const History& history) {
  constexpr std::size_t kMostTransactions = 4;
  constexpr std::size_t kMostOperations = 16;
  const bool has_other_oracle = history.workload() == Workload::kRows ||
                                std::holds_alternative<certify::NoPrediction>(certificate.evidence);
  if (has_other_oracle || history.txn_count() > kMostTransactions ||
      history.op_count() > kMostOperations) {
    return;
  }
  const bool is_valid = std::holds_alternative<Witness>(certificate.evidence);
  const auto holds =
      Truth(history).holds(order_level(certificate.model).value(), certificate.assumptions);
  require(holds.value_or(is_valid) == is_valid);
}

void run(const std::string& bytes) {
  const std::string separator = "\n----\n";
  const std::size_t at = bytes.find(separator);
  if (at == std::string::npos) {
    return;
  }
  ReadOptions options;
  options.format = find_format("edn");
  const auto loaded = read_history(memory_source("history", bytes.substr(0, at)), options);
  if (!loaded.ok()) {
    return;
  }
  const History& history = loaded.value().history();
  const auto source = memory_source("certificates", bytes.substr(at + separator.size()));
  Result<std::vector<Certificate>> certificates =
      read_certificates(*source, [&](std::string_view) { return &history; });
  if (!certificates.ok()) {
    require(certificates.error().to_string().find('\n') == std::string::npos);
    return;
  }
  for (Certificate& certificate : certificates.value()) {
    certificate.unknown_name.reset();  // evidence is not trusted either
    if (!flaw_of(certificate, history)) {
      compare(certificate, history);
    }
  }
}

}  // namespace
}  // namespace elapid

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elapid::run(std::string(data, data + size));
  return 0;
}
