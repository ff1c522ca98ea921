# abut_test(NAME seconds command...): a test whose limit is processor time, which does not pass while other programs have
# the machine; each process that the test starts may use so much. Sanitizers let an allocation that is too large fail, as the C
# library does. The limit of the wall clock only ends what sleeps.

set(ABUT_TEST_WALL 7200 CACHE STRING "Seconds after which a test that uses no processor time is ended")
function(abut_test name seconds)
    add_test(NAME ${name} COMMAND bash -c "ulimit -t ${seconds} && export ASAN_OPTIONS=allocator_may_return_null=1 && exec \"$0\" \"$@\"" ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ABUT_TEST_WALL} SKIP_RETURN_CODE 77)
endfunction()
