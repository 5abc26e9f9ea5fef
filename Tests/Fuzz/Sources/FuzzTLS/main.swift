import FuzzDriver

runFuzzer { fuzzTLS($0, $1) }
