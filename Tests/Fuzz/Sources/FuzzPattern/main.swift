import FuzzDriver

runFuzzer { fuzzPattern($0, $1) }
