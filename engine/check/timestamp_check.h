// Levels judged by the timestamps that the database gave, put into a verdict's terms.
#ifndef ELAPID_ENGINE_CHECK_TIMESTAMP_CHECK_H_
#define ELAPID_ENGINE_CHECK_TIMESTAMP_CHECK_H_

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Whether the order that the timestamps give is one that the models demanded allow: invalid does
/// not mean that there is no other. Error: kUsage for anything that is not snapshot isolation or
/// serializability, and for a history without timestamps; kInternal if evidence does not survive
/// certification. Does not do the cross-check.
Result<Verdict> check_by_timestamps(const History& history, const CheckOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_TIMESTAMP_CHECK_H_
