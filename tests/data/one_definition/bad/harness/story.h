namespace elapid {

class Story;

class Story : public Base {};

class Step {};

struct Page {};

enum class Kind : int { kOne };

}  // namespace elapid
