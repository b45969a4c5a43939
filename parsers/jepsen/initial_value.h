// The value that the user says keys hold before the first write.
#ifndef ELAPID_PARSERS_JEPSEN_INITIAL_VALUE_H_
#define ELAPID_PARSERS_JEPSEN_INITIAL_VALUE_H_

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/options.h"

namespace elapid {

/// ReadOptions::initial as a value of `values`; `own`, which is the format's, where it is not
/// given. Error: kUsage if it is not one EDN form.
Result<ValueId> initial_value(const ReadOptions& options, ValueId own, ValuePool& values);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_INITIAL_VALUE_H_
