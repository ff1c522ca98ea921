# The core: libc and libm only. Its objects make the library people install (`abut`) and the static one that the
# project's own programs link (`abut_internal`), through which tests also reach the abuti_* functions.

set(core_rooms base linalg lcp contact collide world record)
list(TRANSFORM core_rooms REPLACE "(.+)" "src/\\1/*.c" OUTPUT_VARIABLE core_patterns)
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS ${core_patterns})
file(GLOB public_headers CONFIGURE_DEPENDS include/abut/*.h)
# Scenes and threads are libraries of the project's programs (cmake/AbutComponents.cmake), not of the core that is installed.
list(FILTER public_headers EXCLUDE REGEX "/(scene|threads)\\.h$")

# Kernels for wider vectors are files of their own, chosen at run time; where the compiler cannot make them they are
# left out.
include(CheckCCompilerFlag)
set(avx2_flags -mavx2 -mfma)
set(avx512_flags -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
set(core_definitions "")
foreach(isa avx2 avx512)
    string(TOUPPER ${isa} ISA)
    list(JOIN ${isa}_flags " " flags)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        check_c_compiler_flag("${flags}" ABUT_COMPILER_HAS_${ISA})
    endif()
    set(isa_sources ${core_sources})
    list(FILTER isa_sources INCLUDE REGEX "_${isa}\\.c$")
    if(ABUT_COMPILER_HAS_${ISA})
        set_source_files_properties(${isa_sources} PROPERTIES COMPILE_OPTIONS "${${isa}_flags}")
        list(APPEND core_definitions ABUT_HAVE_${ISA})
    elseif(isa_sources)
        list(REMOVE_ITEM core_sources ${isa_sources})
    endif()
endforeach()

add_library(abut_objects OBJECT ${core_sources})
set_target_properties(abut_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(abut_objects PRIVATE ${core_definitions})
target_include_directories(abut_objects PRIVATE include src)

add_library(abut $<TARGET_OBJECTS:abut_objects>)
add_library(abut::abut ALIAS abut)
set_target_properties(abut PROPERTIES LINKER_LANGUAGE C VERIFY_INTERFACE_HEADER_SETS ON VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_sources(abut PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${public_headers})
target_link_libraries(abut PRIVATE m)
if(BUILD_SHARED_LIBS AND NOT ABUT_SANITIZE AND NOT ABUT_FUZZ)
    target_link_options(abut PRIVATE -Wl,--no-undefined)
endif()

add_library(abut_internal STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:abut_objects>)
set_target_properties(abut_internal PROPERTIES LINKER_LANGUAGE C)
target_compile_definitions(abut_internal INTERFACE ${core_definitions})
target_include_directories(abut_internal INTERFACE include)
target_link_libraries(abut_internal PUBLIC m)
