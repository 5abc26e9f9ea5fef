import FuzzDriver

runFuzzer { fuzzHTTP2($0, $1) }
