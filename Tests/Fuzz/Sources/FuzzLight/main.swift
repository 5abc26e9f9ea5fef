import FuzzDriver

runFuzzer { fuzzLight($0, $1) }
