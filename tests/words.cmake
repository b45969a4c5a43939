# Checks the words of messages and comments.
# - Messages of libraries do not name flags of the command line: a service or a binding has none. What
#   the caller calls its options and limits is handed in (OptionWords, ReadWords).
# - No message says "of which": it is two sentences.
# - No line, neither of code nor of comments, has a word of the list `anywhere`: it names the transaction, the
#   writer, the reader instead.
# Usage: cmake -D ROOT=<folder> -P words.cmake. Names every such string; fails if there is one.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/engine/*.h" "${ROOT}/engine/*.cc" "${ROOT}/parsers/*.h"
     "${ROOT}/parsers/*.cc" "${ROOT}/adapter/*.h" "${ROOT}/adapter/*.cc" "${ROOT}/harness/*.h" "${ROOT}/harness/*.cc")
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()

# A string with a long flag, as `--memory`, or with a short one alone, as `(-s)`.
set(flag "\"[^\"]*(--[a-z]|[ (`]-[a-z][^a-zA-Z-])")
set(may_name_flags "^adapter/(cli|mpi)/|^harness/servers/[a-z]+_server[.]cc$")  # command lines of others
set(word "\"[^\"]*[^a-z]of which")
set(anywhere "([Aa]nybody|[Nn]obody|[Ww]hoever|[Ss]omebody|[^a-z]in vain)")
set(may_name_nobody "^harness/process/process_user[.](h|cc)$")  # the user of that name

# lines(<out> <part> <regex> <exempt>): the lines whose part (CODE, or ALL with comments) matches, except in files whose
# names match `exempt`.
function(lines out part regex exempt)
  set(found)
  foreach(file IN LISTS files)
    if(file MATCHES "${exempt}")
      continue()
    endif()
    file(STRINGS "${ROOT}/${file}" lines REGEX "${regex}")
    foreach(line IN LISTS lines)
      set(looked_at "${line}")
      if(part STREQUAL "CODE")
        string(REGEX REPLACE "//.*" "" looked_at "${line}")
      endif()
      string(REPLACE ";" ":" line "${line}")
      if(looked_at MATCHES "${regex}")
        list(APPEND found "${file}: ${line}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

lines(flags CODE "${flag}" "${may_name_flags}")
lines(words CODE "${word}" "^$")
lines(riddles ALL "${anywhere}" "${may_name_nobody}")
if(flags OR words OR riddles)
  list(LENGTH flags flag_count)
  list(LENGTH words word_count)
  list(LENGTH riddles riddle_count)
  list(JOIN flags "\n  " flag_text)
  list(JOIN words "\n  " word_text)
  list(JOIN riddles "\n  " riddle_text)
  message(FATAL_ERROR "${flag_count} messages that name flags:\n  ${flag_text}\n"
                      "${word_count} messages with words of the list:\n  ${word_text}\n"
                      "${riddle_count} lines that the sources are free of:\n  ${riddle_text}")
endif()
