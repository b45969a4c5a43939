// Independent re-checking of evidence, from the operations alone.
//
// Shares no code with the inference that found the evidence: it includes the history, the verdict and the
// models only. Every step of a cycle and every read is verified against what transactions did.
#ifndef ELAPID_ENGINE_CERTIFY_CERTIFY_H_
#define ELAPID_ENGINE_CERTIFY_CERTIFY_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict.h"

namespace elapid {

/// What certify found out about one anomaly.
struct CertifyFailure {
  std::size_t anomaly = 0;  ///< index in Verdict::anomalies
  std::string reason;       ///< one sentence: which claim does not follow from the operations
};

/// Re-checks anomalies under the assumptions of the verdict. Empty if all evidence holds.
/// One pass over the history to index it, then linear in the evidence.
class Certifier {
 public:
  Certifier(const History& history, const Assumptions& assumptions, bool list_append);
  ~Certifier();
  Certifier(const Certifier&) = delete;
  Certifier& operator=(const Certifier&) = delete;

  [[nodiscard]] std::vector<CertifyFailure> certify(const std::vector<Anomaly>& anomalies) const;

 private:
  struct Index;
  std::unique_ptr<Index> index_;
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_CERTIFY_CERTIFY_H_
