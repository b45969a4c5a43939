#include "engine/linearize/register_judgement.h"

#include <utility>

#include "engine/linearize/register_zones.h"
#include "engine/linearize/sweep_register.h"

namespace elapid::linearize {

RegisterJudgement judge_register(const Operations& operations, const RegisterQuestion& question) {
  std::optional<RegisterJudgement> by_zones = judge_by_zones(operations, question.initial);
  return by_zones ? *std::move(by_zones) : sweep_register(operations, question);
}

}  // namespace elapid::linearize
