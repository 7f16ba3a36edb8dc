#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| queenlab_fuzz::readers::Reader::named("page").read(bytes));
