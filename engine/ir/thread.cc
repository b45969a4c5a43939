#include "engine/ir/thread.h"

#include <new>

namespace elapid {

Error current_error() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {.kind = ErrorKind::kInternal, .message = "memory ran out"};  // needs no memory
  } catch (const std::exception& exception) {
    return {.kind = ErrorKind::kInternal, .message = exception.what()};
  } catch (...) {
    return {.kind = ErrorKind::kInternal, .message = "an unknown exception was thrown"};
  }
}

}  // namespace elapid
