// Writing histories as JSON: elle-cli's array, and lines of Elapid's recorder format.
#ifndef ELAPID_PARSERS_ELLE_JSON_JSON_WRITER_H_
#define ELAPID_PARSERS_ELLE_JSON_JSON_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// One array, an operation a line. Error kUsage if two keys or two values would become one.
Status write_json(const Plan& plan, OutputFile& out);

/// An operation a line; transactions that came whole are one line each. Likewise.
Status write_jsonl(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_ELLE_JSON_JSON_WRITER_H_
