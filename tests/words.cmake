# Checks the words of messages and comments.
# - Messages of libraries do not name flags of the command line: a service or a binding has none. What
#   the caller calls its options and limits is handed in (OptionWords, ReadWords).
# - No message has a word of the list below: it names the transaction, the writer, the reader instead.
# - No line has one of the words that the sources are free of: a comment names the transaction, too.
# Usage: cmake -D ROOT=<folder> -P words.cmake. Names every such string; fails if there is one.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/engine/*.h" "${ROOT}/engine/*.cc" "${ROOT}/parsers/*.h"
     "${ROOT}/parsers/*.cc" "${ROOT}/adapter/*.h" "${ROOT}/adapter/*.cc" "${ROOT}/harness/*.h" "${ROOT}/harness/*.cc")
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()

# A string with a long flag, as `--memory`, or with a short one alone, as `(-s)`.
set(flag "\"[^\"]*(--[a-z]|[ (`]-[a-z][^a-zA-Z-])")
set(may_name_flags "^adapter/cli/|^harness/servers/[a-z]+_server[.]cc$")  # command lines of others
set(word "\"[^\"]*([Nn]obody|[Ww]hoever|[Ss]omebody|[^a-z]of which|in vain)")
set(may_have_words "^harness/process/process_user[.]cc$")  # the user nobody

set(anywhere "([Ww]hoever|[Ss]omebody|[^a-z]in vain)")

# lines(<out> <regex>): the lines that match.
function(lines out regex)
  set(found)
  foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" lines REGEX "${regex}")
    foreach(line IN LISTS lines)
      string(REPLACE ";" ":" line "${line}")
      list(APPEND found "${file}: ${line}")
    endforeach()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# strings(<out> <regex> <exempt>): the lines with a string that matches, but for files that may.
function(strings out regex exempt)
  set(found)
  foreach(file IN LISTS files)
    if(NOT file MATCHES "${exempt}")
      file(STRINGS "${ROOT}/${file}" lines REGEX "${regex}")
      foreach(line IN LISTS lines)
        string(REGEX REPLACE "//.*" "" code "${line}")
        string(REPLACE ";" ":" line "${line}")
        if(code MATCHES "${regex}")
          list(APPEND found "${file}: ${line}")
        endif()
      endforeach()
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

strings(flags "${flag}" "${may_name_flags}")
strings(words "${word}" "${may_have_words}")
lines(riddles "${anywhere}")
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
