# `cpack` in a build folder makes Debian packages of the components of Install.cmake: elapid,
# elapid-serve, libelapid0, libelapid-dev, python3-elapid and, if they were built, elapid-drivers
# and elapid-mpi. A publisher sets -D ELAPID_MAINTAINER="Name <address>".
set(ELAPID_MAINTAINER "The Elapid authors <elapid@localhost>" CACHE STRING "Who maintains the packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME elapid)
set(CPACK_PACKAGE_CONTACT "${ELAPID_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime library dev python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME elapid)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION database)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "checker of what a database promised: isolation levels
Reads the history of a test, as Jepsen and many other tools record it, and
decides whether the isolation level that was promised can explain it. If
not, it shows the shortest proof, in words, with the operations and the
lines of the history it rests on.")

if(ELAPID_COMMANDS STREQUAL "all")
  list(APPEND CPACK_COMPONENTS_ALL serve)
  set(CPACK_DEBIAN_SERVE_PACKAGE_NAME elapid-serve)
  set(CPACK_DEBIAN_SERVE_PACKAGE_SECTION database)
  set(CPACK_DEBIAN_SERVE_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_SERVE_PACKAGE_DEPENDS "elapid (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_SERVE_DESCRIPTION "checker of isolation levels: service over HTTP
Histories are posted to it, checked, and read as pages in a browser. With a
unit of systemd, which has to be enabled.")
endif()

if(TARGET elapid-mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME elapid-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION database)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "openmpi-bin")
  set(CPACK_DEBIAN_MPI_DESCRIPTION "checker of isolation levels: one history on many machines
A program for mpirun that checks a large history by several processes, each
of which reads a part of it and has some of its keys.")
endif()

set(drivers)
if(ELAPID_COMMANDS STREQUAL "all")
  get_directory_property(drivers DIRECTORY harness/drive BUILDSYSTEM_TARGETS)
  list(FILTER drivers INCLUDE REGEX "^elapid-driver-")
endif()
if(drivers)
  list(APPEND CPACK_COMPONENTS_ALL drivers)
  set(CPACK_DEBIAN_DRIVERS_PACKAGE_NAME elapid-drivers)
  set(CPACK_DEBIAN_DRIVERS_PACKAGE_SECTION database)
  set(CPACK_DEBIAN_DRIVERS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_DRIVERS_PACKAGE_DEPENDS "elapid (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DRIVERS_DESCRIPTION "checker of isolation levels: drivers of databases
With them elapid runs tests against databases. Each is a plug-in that is
loaded when it is asked for.")
endif()

set(soname "${PROJECT_VERSION_MAJOR}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libelapid${soname})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/debian/triggers")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "checker of isolation levels: library for programs in C
Checks histories of databases that a program has in memory. This package
has the shared library.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libelapid-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
string(JOIN ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
       "libelapid${soname} (= ${PROJECT_VERSION})" libboost-filesystem-dev libfmt-dev libre2-dev libzstd-dev
       pkg-config zlib1g-dev)
set(CPACK_DEBIAN_DEV_DESCRIPTION "checker of isolation levels: headers and archives
For programs in C++ and C that check histories of databases.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-elapid)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libelapid${soname} (= ${PROJECT_VERSION}), python3 (>= 3.9)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "elapid (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "checker of isolation levels: package for Python 3
Checks histories of databases in one line, records what clients see, and
fails tests of pytest with the story of what went wrong.")

# The files that Debian requires beside each package's documents.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian/changelog.in "${PROJECT_BINARY_DIR}/debian/changelog" @ONLY)
execute_process(COMMAND gzip -9nf "${PROJECT_BINARY_DIR}/debian/changelog" COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" name)
  install(CODE "
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      file(INSTALL \"${PROJECT_SOURCE_DIR}/cmake/debian/copyright\"
                   \"${PROJECT_BINARY_DIR}/debian/changelog.gz\"
           DESTINATION \"/usr/share/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME}\")
    endif()"
    COMPONENT ${component})
endforeach()

include(CPack)
