# The same bits everywhere: every test/hash_NAME.c prints a hash of what the core computed; it is built at -O0 and -O3
# with each compiler found, and what all of them print must be what golden/hash_NAME.txt holds (determinism.sh).

set(determinism_dir ${CMAKE_CURRENT_BINARY_DIR}/determinism)
set(determinism ${CMAKE_CURRENT_SOURCE_DIR}/hashes/determinism.sh)

file(GLOB hash_sources CONFIGURE_DEPENDS hash_*.c)
if(hash_sources)
    abut_test(determinism_build 300 bash ${determinism} build ${determinism_dir})
    set_tests_properties(determinism_build PROPERTIES FIXTURES_SETUP determinism
                         ENVIRONMENT "CMAKE=${CMAKE_COMMAND}")
endif()
foreach(source IN LISTS hash_sources)
    get_filename_component(name ${source} NAME_WE)
    abut_test(${name} 300 bash ${determinism} compare ${determinism_dir} ${name})
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED determinism)
endforeach()

# And on a machine that is none of ours, where the tools for it are found.
add_test(NAME determinism_wasm COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/hashes/wasm.sh ${determinism_dir}/wasm32)
set_tests_properties(determinism_wasm PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77 ENVIRONMENT "CMAKE=${CMAKE_COMMAND}")
