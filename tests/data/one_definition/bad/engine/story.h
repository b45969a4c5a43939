namespace elapid {

struct Story {
  int chapters = 0;
};

namespace {

struct Page {};

}  // namespace

}  // namespace elapid

namespace elapid::parts {

class Step {};

}  // namespace elapid::parts
