// Whoever reads this comment reads it twice.
const char* riddle() {
  return "a value that nobody wrote";  // nobody: a comment may have it
}
