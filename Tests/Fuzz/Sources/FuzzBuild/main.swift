import FuzzDriver

runFuzzer { fuzzBuild($0, $1) }
