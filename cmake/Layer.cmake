# How a layer becomes a library target, and what every target is compiled with.

option(ELAPID_HEADER_CHECKS "Compile each header alone" OFF)
set(ELAPID_BATCH 0 CACHE STRING
    "So many sources of a folder are compiled as one, which is quicker from nothing; 0: each alone")

# Batches name their sources relative to the tree, and ccache ignores paths outside it, so that
# clones share compiled objects.
find_program(ELAPID_CCACHE ccache)
if(ELAPID_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${ELAPID_CCACHE}")
endif()

# GNU ld takes seconds to link each sanitized program.
find_program(ELAPID_MOLD mold)
if(ELAPID_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

add_library(elapid_options INTERFACE)
target_include_directories(elapid_options INTERFACE "${PROJECT_SOURCE_DIR}")
# Warnings are enabled where they are errors, in builds with -Og. At -O2 GCC 12 warns of impossible
# accesses in the standard library.
if(ELAPID_WERROR)
  target_compile_options(elapid_options INTERFACE
    -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wimplicit-fallthrough -Wcast-align -Wold-style-cast -Wnull-dereference
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>)
endif()

# The current folder as an #include names it.
function(elapid_folder out)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}"
             OUTPUT_VARIABLE folder)
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# elapid_batched(<out> <target> <files...>): what to compile for the target, the files or batches of them.
function(elapid_batched out target)
  if(ELAPID_BATCH LESS 2)
    set(${out} "${ARGN}" PARENT_SCOPE)
    return()
  endif()
  set(batches)
  set(rest ${ARGN})
  while(rest)
    list(SUBLIST rest 0 ${ELAPID_BATCH} batch)
    list(REMOVE_AT rest 0)
    list(LENGTH batches number)
    set(content)
    foreach(source IN LISTS batch)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      string(APPEND content "#include \"${path}\"\n")
      list(REMOVE_ITEM rest "${source}")
    endforeach()
    set(file "${CMAKE_CURRENT_BINARY_DIR}/batches/${target}_${number}.cc")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${content}")
    list(APPEND batches "${file}")
  endwhile()
  set(${out} "${batches}" PARENT_SCOPE)
endfunction()

# elapid_check_headers(<target> <headers...>): compiles each header alone. A source that includes
# the header first proves the same where sources are compiled alone: in the dev preset, which
# tests/nightly builds.
function(elapid_check_headers target)
  elapid_folder(folder)
  set(checks)
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "\\.h$" ".cc" source "${CMAKE_CURRENT_SOURCE_DIR}/${header}")
    set(first)
    if(EXISTS "${source}")
      file(STRINGS "${source}" first LIMIT_COUNT 1)
    endif()
    if(NOT first STREQUAL "#include \"${folder}/${header}\"")
      string(MAKE_C_IDENTIFIER "${target}_${header}" name)
      set(check "${CMAKE_CURRENT_BINARY_DIR}/self_contained/${name}.cc")
      file(CONFIGURE OUTPUT "${check}" CONTENT "#include \"${folder}/${header}\"\n")
      list(APPEND checks "${check}")
    endif()
  endforeach()
  if(checks)
    add_library(${target}_headers OBJECT ${checks})
    get_target_property(links ${target} LINK_LIBRARIES)
    target_link_libraries(${target}_headers PRIVATE ${links})
    target_include_directories(${target}_headers PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_options(${target}_headers PRIVATE -O0 -g0 -fno-sanitize=all)
  endif()
endfunction()

# elapid_layer(<target> SOURCES <files...> [HEADERS <files...>] [LINKS <public libraries...>]
#              [PRIVATE_LINKS <libraries...>] [COLD] [APART])
# A static library. COLD: its code is never where time goes, so that it is compiled in a quarter less time.
# Where sources are compiled in batches, the layers that are declared under one ELAPID_JOIN are one library (elapid_join).
# APART: this layer has compile options of its own, so it stays a library of its own.
function(elapid_layer target)
  cmake_parse_arguments(layer "COLD;APART" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS" ${ARGN})
  if(ELAPID_JOIN AND ELAPID_BATCH GREATER 1 AND NOT layer_APART)
    set(library elapid_joined_${ELAPID_JOIN})
    if(layer_COLD)
      string(APPEND library _cold)
    endif()
    list(TRANSFORM layer_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    set_property(GLOBAL APPEND PROPERTY ${library}_sources ${layer_SOURCES})
    set_property(GLOBAL APPEND PROPERTY ${library}_links ${layer_LINKS} ${layer_PRIVATE_LINKS})
    set_property(GLOBAL APPEND PROPERTY ${library}_layers ${target})
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${library})
    return()
  endif()
  elapid_library(${target} SOURCES ${layer_SOURCES} LINKS ${layer_LINKS} PRIVATE_LINKS ${layer_PRIVATE_LINKS})
  if(layer_COLD)
    elapid_compile_cold(${target})
  endif()
  if(ELAPID_HEADER_CHECKS)
    elapid_check_headers(${target} ${layer_HEADERS})
  endif()
endfunction()

# elapid_join(<names...>): of each name, the library of the layers that were declared while ELAPID_JOIN was it, and
# another of the COLD ones. Neighbours include the same headers and instantiate the same templates, which is done once a
# batch here, not once a folder. Names in their anonymous namespaces must differ.
function(elapid_join)
  foreach(name IN LISTS ARGN)
    foreach(library elapid_joined_${name} elapid_joined_${name}_cold)
      get_property(sources GLOBAL PROPERTY ${library}_sources)
      get_property(links GLOBAL PROPERTY ${library}_links)
      get_property(layers GLOBAL PROPERTY ${library}_layers)
      if(sources)
        list(REMOVE_DUPLICATES links)
        list(REMOVE_ITEM links ${layers})
        elapid_library(${library} SOURCES ${sources} LINKS ${links})
      endif()
    endforeach()
    if(TARGET elapid_joined_${name}_cold)
      elapid_compile_cold(elapid_joined_${name}_cold)
    endif()
  endforeach()
endfunction()

# elapid_library(<target> SOURCES <files...> [LINKS <public libraries...>] [PRIVATE_LINKS <libraries...>])
function(elapid_library target)
  cmake_parse_arguments(library "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  elapid_batched(sources ${target} ${library_SOURCES})
  add_library(${target} STATIC ${sources})
  target_link_libraries(${target} PUBLIC ${library_LINKS} PRIVATE elapid_options ${library_PRIVATE_LINKS})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
endfunction()

function(elapid_compile_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# elapid_debug_apart(<target>): moves the debug information of a program to a file beside it, which
# debuggers find.
function(elapid_debug_apart target)
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND "${CMAKE_OBJCOPY}" --only-keep-debug "$<TARGET_FILE:${target}>" "$<TARGET_FILE:${target}>.debug"
      COMMAND "${CMAKE_OBJCOPY}" --strip-debug "--add-gnu-debuglink=$<TARGET_FILE:${target}>.debug"
              "$<TARGET_FILE:${target}>"
      VERBATIM)
  endif()
endfunction()
