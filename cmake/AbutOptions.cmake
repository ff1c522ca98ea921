# What a builder can choose, and the flags that hold for every file of the project.

option(BUILD_SHARED_LIBS "Build libabut as a shared library" OFF)
option(ABUT_BUILD_TOOLS "Build the command line, the benchmarks, and with BUILD_TESTING the tests and examples"
       ${PROJECT_IS_TOP_LEVEL})
option(BUILD_TESTING "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ABUT_BUILD_HASHES "Build test/hash_*.c, the programs of the determinism test" OFF)
option(ABUT_WERROR "Treat warnings as errors" OFF)
option(ABUT_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
set(ABUT_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

# Components: AUTO takes what is found, ON insists, OFF leaves it out.
foreach(component JSON HDF5 LAPACK XML QHULL VIEWER THREADS SICONOS MUJOCO)
    set(ABUT_WITH_${component} AUTO CACHE STRING "Component ${component}: AUTO, ON or OFF")
    set_property(CACHE ABUT_WITH_${component} PROPERTY STRINGS AUTO ON OFF)
endforeach()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# No contraction: the same bits at every optimisation level and with every compiler.
# No errno from libm and no floating-point traps, so that roots and choices can be vector instructions; values are the
# same with and without.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wpedantic)
# gcc clears and copies structs by `rep stos`, whose start alone costs as much as a hundred stores, ten times a call.
include(CheckCCompilerFlag)
set(block_flags -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign
                -mmemcpy-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
check_c_compiler_flag("${block_flags}" ABUT_COMPILER_HAS_BLOCK_STRATEGY)
if(ABUT_COMPILER_HAS_BLOCK_STRATEGY)
    add_compile_options(${block_flags})
endif()
if(ABUT_WERROR)
    add_compile_options(-Werror)
endif()
if(ABUT_SANITIZE)
    add_compile_options(-fsanitize=${ABUT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${ABUT_SANITIZE})
endif()
if(ABUT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "ABUT_FUZZ needs clang (libFuzzer); the compiler is ${CMAKE_C_COMPILER_ID}")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()
