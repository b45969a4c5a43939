#include "engine/advise/application.h"

namespace elapid::advise {

std::vector<std::uint32_t> Application::representatives() const {
  std::vector<std::uint32_t> first;
  std::vector<bool> is_seen(programs.size());
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    if (!is_seen[transactions[t].program]) {
      is_seen[transactions[t].program] = true;
      first.push_back(t);
    }
  }
  return first;
}

}  // namespace elapid::advise
