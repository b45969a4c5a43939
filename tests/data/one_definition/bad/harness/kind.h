namespace elapid {

enum class Kind { kOther };

}  // namespace elapid
