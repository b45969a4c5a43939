#include "adapter/source/verdict_text.h"

#include <utility>

#include "adapter/elle/explanation.h"
#include "adapter/source/source_words.h"

namespace elapid {

std::string verdict_text(LoadedHistory& loaded, const Verdict& verdict, TextOptions options) {
  SourceWords words(loaded);
  return explanation(loaded.history(), verdict,
                     with_source(loaded, verdict, std::move(options), words));
}

}  // namespace elapid
