// verdicts file|memory HISTORY...: the result map of each history, as `elapid check -o json` prints
// it.
#include <elapid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static elapid_status check_from_memory(elapid_checker* checker, const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    return ELAPID_UNREADABLE;
  }
  const size_t most = 1 << 20;
  char* bytes = malloc(most);
  const size_t length = fread(bytes, 1, most, file);
  const elapid_status status = elapid_check_memory(checker, bytes, length);
  free(bytes);
  fclose(file);
  return status;
}

int main(int argc, char** argv) {
  const int from_memory = argc > 1 && strcmp(argv[1], "memory") == 0;
  elapid_checker* checker = elapid_open();
  for (int i = 2; i < argc; ++i) {
    const elapid_status status =
        from_memory ? check_from_memory(checker, argv[i]) : elapid_check_file(checker, argv[i]);
    if (status == ELAPID_OK) {
      puts(elapid_json(checker, 0));
    } else {
      fprintf(stderr, "%s: %s\n", argv[i], elapid_error(checker));
    }
  }
  elapid_close(checker);
  return 0;
}
