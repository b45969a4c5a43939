#include "parsers/format.h"

namespace elapid {

std::string text(const FormatName& name) {
  std::string out(name.format->name);
  return name.dialect.empty() ? out : out + ':' + name.dialect;
}

std::string text(const Target& target) {
  return text(FormatName{target.format, std::string(target.dialect)});
}

}  // namespace elapid
