// What types of anomalies are, in a few words.
#ifndef ELAPID_ENGINE_EVIDENCE_GLOSS_H_
#define ELAPID_ENGINE_EVIDENCE_GLOSS_H_

#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// As `read skew, with real time`; empty where the type's name says it.
[[nodiscard]] std::string gloss(AnomalyType type);

}  // namespace elapid

#endif  // ELAPID_ENGINE_EVIDENCE_GLOSS_H_
