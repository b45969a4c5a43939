#include "engine/verdict/description.h"

#include <iterator>

namespace elapid {

Phrase as_phrase(std::string_view text) {
  return text.empty() ? Phrase() : Phrase{Part{std::string(text)}};
}

Phrase as_phrase(Phrase phrase) {
  return phrase;
}

Phrase filled(std::string_view pattern, std::span<Phrase> arguments) {
  Phrase out;
  const auto add = [&out](Phrase more) {
    out.insert(out.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  for (Phrase& argument : arguments) {
    const std::size_t place = pattern.find("{}");
    add(as_phrase(pattern.substr(0, place)));
    add(std::move(argument));
    pattern.remove_prefix(place + 2);
  }
  add(as_phrase(pattern));
  return out;
}

}  // namespace elapid
