// Searches that ended without an order, or before their end.
#include <string>

#include "engine/evidence/kinds.h"

namespace elapid {

void tell(const NoOrderEvidence& evidence, Story& story) {
  const ExhaustedSearch& search = evidence.search;
  story.gloss("no order of the transactions explains what they read");
  story.claim("Under {}, the {} of {} at {} must have an order.", friendly_name(evidence.model),
              counted(search.txns.size(), "transaction"), counted(search.sessions, "session"),
              TxnsPart{search.txns});
  if (search.states == 0) {
    story.claim("However, what they read rules out any: a contradiction!");
  } else {
    story.claim(
        "However, all were tried, through {}, and none lets each read return what it did: a "
        "contradiction! (Only another search could certify that.)",
        counted(search.states, "state"));
  }
}

void tell(const SearchTimeoutEvidence& evidence, Story& story) {
  story.claim(
      "A component of {} transactions has cycles; the search for {} in it ran out of budget.",
      std::to_string(evidence.component_size), name(evidence.searching));
  if (!evidence.does_not_contain.empty()) {
    story.claim(
        "Before that, {} had been excluded.",
        Story::series(evidence.does_not_contain, [](AnomalyType type) { return name(type); }));
  }
}

void tell(const EmptyGraphEvidence& /*evidence*/, Story& story) {
  story.claim("No transaction depends on another: there was nothing to search for cycles.");
}

}  // namespace elapid
