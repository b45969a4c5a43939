inline const char* const kHint = "found a longer line (see --max-line)";
inline const char* const kHyphens = "read-uncommitted, a well-known level - or two";
