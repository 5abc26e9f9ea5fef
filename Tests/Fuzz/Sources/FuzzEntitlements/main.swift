import FuzzDriver

runFuzzer { fuzzEntitlements($0, $1) }
