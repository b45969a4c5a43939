// Comments may: --memory.
const char* const kLimit = "--memory was reached";
const char* const kPlain = "the limit of memory was reached";  // not "--memory"
