import FuzzDriver

runFuzzer { fuzzProxy($0, $1) }
