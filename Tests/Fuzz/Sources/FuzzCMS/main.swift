import FuzzDriver

runFuzzer { fuzzCMS($0, $1) }
