// A simulation that records what its database answered, and asks Elapid after each run whether
// snapshot isolation can explain it. The second run sells one ticket twice.
#include <elapid.h>
#include <stdio.h>
#include <string.h>

// The transactions of a run, in the recorder format: when each was invoked and completed, and what
// it did.
static const char* const kSoldOnce[] = {
    "{\"type\": \"ok\", \"process\": 0, \"invoked\": 1, \"completed\": 2,"
    " \"value\": [[\"append\", \"tickets\", 1]]}",
    "{\"type\": \"ok\", \"process\": 1, \"invoked\": 3, \"completed\": 6,"
    " \"value\": [[\"r\", \"tickets\", [1]], [\"append\", \"tickets\", 2]]}",
    "{\"type\": \"fail\", \"process\": 2, \"invoked\": 4, \"completed\": 7,"
    " \"value\": [[\"r\", \"tickets\", null], [\"append\", \"tickets\", 3]]}",
    "{\"type\": \"ok\", \"process\": 0, \"invoked\": 8, \"completed\": 9,"
    " \"value\": [[\"r\", \"tickets\", [1, 2]]]}",
};
static const char* const kSoldTwice[] = {
    "{\"type\": \"ok\", \"process\": 0, \"invoked\": 1, \"completed\": 2,"
    " \"value\": [[\"append\", \"tickets\", 1]]}",
    "{\"type\": \"ok\", \"process\": 1, \"invoked\": 3, \"completed\": 6,"
    " \"value\": [[\"r\", \"tickets\", [1]], [\"append\", \"tickets\", 2]]}",
    "{\"type\": \"ok\", \"process\": 2, \"invoked\": 4, \"completed\": 7,"
    " \"value\": [[\"r\", \"tickets\", [1]], [\"append\", \"tickets\", 3]]}",
    "{\"type\": \"ok\", \"process\": 0, \"invoked\": 8, \"completed\": 9,"
    " \"value\": [[\"r\", \"tickets\", [1, 2, 3]]]}",
};

// Checks a run and says what came of it. 0: it was checked.
static int report(elapid_checker* checker, const char* name, const char* const* lines,
                  size_t count) {
  elapid_clear(checker);
  for (size_t i = 0; i < count; ++i) {
    if (elapid_line(checker, lines[i], strlen(lines[i])) != ELAPID_OK) {
      return 1;
    }
  }
  if (elapid_check(checker) != ELAPID_OK) {
    return 1;
  }
  switch (elapid_validity(checker, 0)) {
    case ELAPID_VALID:
      printf("%s: valid\n", name);
      break;
    case ELAPID_INVALID:
      printf("%s: invalid\n%s%s\n", name, elapid_explanation(checker, 0), elapid_json(checker, 0));
      break;
    default:
      printf("%s: unknown\n%s", name, elapid_explanation(checker, 0));
  }
  return 0;
}

int main(void) {
  elapid_checker* checker = elapid_open();
  if (checker == NULL) {
    fputs("no memory\n", stderr);
    return 1;
  }
  printf("elapid %s\n", elapid_version());
  int failed = elapid_set(checker, "levels", "snapshot-isolation") != ELAPID_OK ||
               report(checker, "sold once", kSoldOnce, sizeof kSoldOnce / sizeof *kSoldOnce) ||
               report(checker, "sold twice", kSoldTwice, sizeof kSoldTwice / sizeof *kSoldTwice);
  if (failed) {
    fprintf(stderr, "%s\n", elapid_error(checker));
  }
  elapid_close(checker);
  return failed;
}
