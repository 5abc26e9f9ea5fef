import OpenSSL

/// Any bytes as a signed file: whatever they are, the verifier answers every question and takes
/// out the document or says why not.
func fuzzCMS(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let file = Array(UnsafeBufferPointer(start: start, count: count))
    let report = CMSVerifier.verify(
        file, host: "example.com", trust: .none, now: 1_795_000_000)
    for check in CMSReport.Check.allCases { _ = report.verdict(check) }
    for finding in report.findings {
        precondition(!finding.message.isEmpty && !finding.remedy.isEmpty)
    }
    precondition(!report.isGood, "nothing is trusted, so nothing is good")
    let payload = CMSVerifier.payload(of: file)
    precondition(payload == report.payload, "two ways to the same document differ")
    _ = CMSVerifier.looksSigned(file)
    return 0
}
