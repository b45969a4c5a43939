#include "harness/generate/request.h"

namespace elapid {

std::string_view RequestSource::after_read(Request& /*request*/, std::size_t /*step*/,
                                           Seen /*seen*/) {
  return {};
}

}  // namespace elapid
