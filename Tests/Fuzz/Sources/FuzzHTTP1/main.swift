import FuzzDriver

runFuzzer { fuzzHTTP1($0, $1) }
