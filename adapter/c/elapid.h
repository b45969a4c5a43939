// elapid.h: the checker for programs in C, and in every language that can call C.
//
// A checker is given options and a history, and answers with verdicts:
//
// ```cpp
// const char line[] = "{\"type\": \"ok\", \"process\": 0, \"value\": [[\"append\", \"x\", 1]]}";
// elapid_checker* checker = elapid_open();
// elapid_set(checker, "levels", "snapshot-isolation");
// elapid_line(checker, line, strlen(line));  // each event: docs/recorder-format.md
// if (elapid_check(checker) != ELAPID_OK) {
//   fprintf(stderr, "%s\n", elapid_error(checker));
// } else if (elapid_validity(checker, 0) == ELAPID_INVALID) {
//   fputs(elapid_explanation(checker, 0), stderr);
// }
// CHECK(elapid_validity(checker, 0) == ELAPID_VALID);
// elapid_close(checker);
// ```
//
// (CHECK belongs to Elapid's tests, which run this example.) examples/embed-c/main.c is a whole
// program, and docs/install.md says how to link it.
//
// No function throws, prints, ends the program or keeps data outside of checkers. Several
// threads may each use a checker; one checker is for one thread at a time. Without limits of
// time or memory no clock is read, and the same history and options give the same answers, byte
// by byte.
//
// Every function accepts NULL for a checker: it then does nothing, and answers as after
// ELAPID_USAGE. The text of a `const char*` belongs to the checker.
#ifndef ELAPID_H_
#define ELAPID_H_

#include <stddef.h>

#if defined(__GNUC__)
#define ELAPID_API __attribute__((visibility("default")))
#else
#define ELAPID_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The result of a call: the exit codes of the program.
typedef enum elapid_status {
  ELAPID_OK = 0,
  ELAPID_USAGE = 64,       // the request makes no sense
  ELAPID_MALFORMED = 65,   // the history breaks its format's rules
  ELAPID_UNREADABLE = 66,  // the history cannot be opened or read
  ELAPID_INTERNAL = 70,    // a bug, or the memory ran out while reading
  ELAPID_CANCELLED = 130   // elapid_cancel() was called
} elapid_status;

// The verdict on a history at the demanded levels: the exit codes of the program, and -1.
typedef enum elapid_verdict {
  ELAPID_NONE = -1,    // there is no such history, or no check
  ELAPID_VALID = 0,    // the demanded levels allow it
  ELAPID_INVALID = 1,  // they do not, and there is evidence
  ELAPID_UNKNOWN = 2   // neither was shown: elapid_json() says why
} elapid_verdict;

typedef struct elapid_checker elapid_checker;

// The version of the library, as "0.1.0".
ELAPID_API const char* elapid_version(void);

// A new checker. NULL if there is no memory.
ELAPID_API elapid_checker* elapid_open(void);

// Frees a checker and every text that it gave.
ELAPID_API void elapid_close(elapid_checker* checker);

// Sets an option for later checks. The name is a flag of `elapid check`, without dashes. The value
// is what the flag takes, of 1 byte to 1 MiB; for flags without a value it is "true" or "false".
// The options are:
//   levels anomalies engine clock-skew cross-check elle-compat failed-cas
//   accounts total-amount negative-balances group-size key-count linearizable-elements
//   lock lock-limit sub-via ww-deps availability
//   wfr-keys sequential-keys linearizable-keys
//   work cycle-search-timeout timeout memory threads
//   format model initial independent salvage max-line
// Without levels strict serializability is demanded; for whole transactions without real time, as
// after a header with "clock": "none", strong session serializability. Completions without
// invocations tell no real time either: for these, ask for levels that do not need it. Unlike the
// program's checks, these have no limit of memory unless one is set, and one thread. ELAPID_USAGE:
// there is no such option or value; everything stays as it was.
ELAPID_API elapid_status elapid_set(elapid_checker* checker, const char* name, const char* value);

// Adds a line of the recorder format after the lines so far, without its newline: a header, an
// event or a whole transaction. elapid_check() parses it. ELAPID_USAGE: the line contains a
// newline.
ELAPID_API elapid_status elapid_line(elapid_checker* checker, const char* line, size_t length);

// Forgets all lines and verdicts. The options stay.
ELAPID_API void elapid_clear(elapid_checker* checker);

// Each of these functions checks histories, and replaces the verdicts. After an error, also after
// ELAPID_USAGE, there are no verdicts, and elapid_error() says what is wrong, and where.

// Checks the lines so far. More lines may follow, for another check. Errors call them `history`.
ELAPID_API elapid_status elapid_check(elapid_checker* checker);

// Checks a file or a directory that is a history, in any format that `elapid check` reads; `-` is
// standard input.
ELAPID_API elapid_status elapid_check_file(elapid_checker* checker, const char* path);

// Checks the bytes of a file in memory, which must not be compressed. They are copied. Errors call
// them `history`.
ELAPID_API elapid_status elapid_check_memory(elapid_checker* checker, const char* bytes,
                                             size_t length);

// Ends the running check, or else the next one. That check returns ELAPID_CANCELLED, without
// verdicts. It ends within moments; during a search through the states of an object
// (docs/objects.md), which has limited work, within seconds. This is the only function that may be
// called while another thread uses the checker; that thread must not close it meanwhile. Not for
// signal handlers.
ELAPID_API void elapid_cancel(elapid_checker* checker);

// The error of the last failed call, in one line of at most 4 KiB that begins with the place, as
// `history:3:17:`. Empty if no call has failed. Valid until the next failure.
ELAPID_API const char* elapid_error(const elapid_checker* checker);

// The number of checked histories: one, or one a key if values are tuples [key value]. They are
// with the option `independent`, or if the first operation that asks for a value is invoked with
// [key nil]. Each history has a verdict of its own.
ELAPID_API size_t elapid_history_count(const elapid_checker* checker);

// The verdict on a history, counted from 0.
ELAPID_API elapid_verdict elapid_validity(const elapid_checker* checker, size_t history);

// The texts below are made at the first call, and stay valid until the verdicts are replaced or
// forgotten. NULL: there is no such history, or no memory.

// The result map, as `elapid check -o json` prints it (docs/result-map.md).
ELAPID_API const char* elapid_json(elapid_checker* checker, size_t history);

// The findings in words, as `elapid check` prints them below the verdict. Empty for a valid
// history.
ELAPID_API const char* elapid_explanation(elapid_checker* checker, size_t history);

// A file of the report, as `elapid check -d` writes it (docs/report.md): `report.html`,
// `summary.txt`, `summary.md`, `findings/1.txt`, `findings/1.md` and the pictures `findings/1.svg`
// and `findings/1.dot`; `report.json` has levels and findings for programs
// (adapter/report/forms/report_json.h). NULL also if the report has no such file: no such finding,
// or no picture of it. With the option `elle-compat` there is no report.
ELAPID_API const char* elapid_report(elapid_checker* checker, size_t history, const char* file);

// The history's key as EDN, in which U+0000 is written \u0000. Empty if values are no tuples.
ELAPID_API const char* elapid_key(const elapid_checker* checker, size_t history);

#ifdef __cplusplus
}
#endif

#endif  // ELAPID_H_
