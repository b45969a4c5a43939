// Reading Viper's logs: a directory of them, or a single one (formats/06-viper.md).
#ifndef ELAPID_PARSERS_VIPER_VIPER_READER_H_
#define ELAPID_PARSERS_VIPER_VIPER_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Files named J..., Jep... or history.edn..., in the order of their numbers; each is a session,
/// unless its operations name a :process. Dialects `json` and `edn`, by default told by the first
/// file that is not empty. Registers, or (EDN only) lists. All transactions are committed. Errors:
/// those of ViperJsonReader and ViperEdnReader; kUnreadable for a directory without such files.
Result<History> read_viper(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_VIPER_VIPER_READER_H_
