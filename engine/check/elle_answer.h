// What Elle would find and infer (engine/elle), quirks included, as the answer of an engine.
#ifndef ELAPID_ENGINE_CHECK_ELLE_ANSWER_H_
#define ELAPID_ENGINE_CHECK_ELLE_ANSWER_H_

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"

namespace elapid {

/// Proves nothing: what was not found Elle calls valid. Where Elle would throw, `elle_error` says
/// what.
[[nodiscard]] Answer answer_as_elle(const History& history, const CheckOptions& options,
                                    const Question& question, Work& work);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_ELLE_ANSWER_H_
