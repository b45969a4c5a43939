// Whoever reads this comment reads it twice.
const char* riddle() {
  return "lists, of which one grew";  // of which: a comment may have it
}

const char* person() {
  return "a value that nobody wrote";
}
