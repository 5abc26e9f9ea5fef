import FuzzDriver

runFuzzer { fuzzJSON($0, $1) }
