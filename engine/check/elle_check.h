// What Elle would answer, put into a verdict's terms.
#ifndef ELAPID_ENGINE_CHECK_ELLE_CHECK_H_
#define ELAPID_ENGINE_CHECK_ELLE_CHECK_H_

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Elle's verdict of the models demanded, its quirks included (engine/elle). Where Elle would
/// throw, the verdict is unknown and Verdict::elle_error says what. Evidence that does not follow
/// from the operations becomes a warning. Error: kUsage where real time is assumed of a history
/// that has none.
Result<Verdict> check_as_elle(const History& history, const CheckOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_ELLE_CHECK_H_
