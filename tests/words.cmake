# Checks that messages of libraries do not name flags of the command line: a service or a binding
# has none. What the caller calls its options and limits is handed in (OptionWords, ReadWords).
# Usage: cmake -D ROOT=<folder> -P words.cmake. Names every string with a flag; fails if there is one.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/engine/*.h" "${ROOT}/engine/*.cc" "${ROOT}/parsers/*.h"
     "${ROOT}/parsers/*.cc" "${ROOT}/adapter/*.h" "${ROOT}/adapter/*.cc" "${ROOT}/harness/*.h" "${ROOT}/harness/*.cc")
list(FILTER files EXCLUDE REGEX "^adapter/cli/")
list(FILTER files EXCLUDE REGEX "^harness/servers/[a-z]+_server[.]cc$")  # command lines of others
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()

# A string with a long flag, as `--memory`, or with a short one alone, as `(-s)`.
set(flag "\"[^\"]*(--[a-z]|[ (`]-[a-z][^a-zA-Z-])")
set(violations)
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" lines REGEX "${flag}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "//.*" "" code "${line}")
    string(REPLACE ";" ":" line "${line}")
    if(code MATCHES "${flag}")
      list(APPEND violations "${file}: ${line}")
    endif()
  endforeach()
endforeach()
if(violations)
  list(LENGTH violations count)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "${count} messages that name flags:\n  ${text}")
endif()
