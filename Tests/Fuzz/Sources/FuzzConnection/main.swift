import FuzzDriver

runFuzzer { fuzzConnection($0, $1) }
