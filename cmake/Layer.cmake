# How a layer becomes a library target, and what every target is compiled with.

option(ELAPID_HEADER_CHECKS "Compile each header alone" OFF)

find_program(ELAPID_CCACHE ccache)
if(ELAPID_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ELAPID_CCACHE}")
endif()

add_library(elapid_options INTERFACE)
target_include_directories(elapid_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(elapid_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Wcast-align -Wold-style-cast -Wnull-dereference
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>
  $<$<BOOL:${ELAPID_WERROR}>:-Werror>)

# elapid_layer(<target> SOURCES <files...> [HEADERS <files...>] [LINKS <public libraries...>]
#              [PRIVATE_LINKS <libraries...>])
# A static library. With ELAPID_HEADER_CHECKS, HEADERS are compiled alone as well, so that each stands
# on its own feet.
function(elapid_layer target)
  cmake_parse_arguments(layer "" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS" ${ARGN})
  set(checks)
  if(NOT ELAPID_HEADER_CHECKS)
    set(layer_HEADERS)
  endif()
  foreach(header IN LISTS layer_HEADERS)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}"
               OUTPUT_VARIABLE folder)
    string(MAKE_C_IDENTIFIER "${target}_${header}" name)
    set(check "${CMAKE_CURRENT_BINARY_DIR}/self_contained/${name}.cc")
    file(CONFIGURE OUTPUT "${check}" CONTENT "#include \"${folder}/${header}\"\n")
    list(APPEND checks "${check}")
  endforeach()
  add_library(${target} STATIC ${layer_SOURCES} ${checks})
  target_link_libraries(${target} PUBLIC ${layer_LINKS} PRIVATE elapid_options ${layer_PRIVATE_LINKS})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
endfunction()
