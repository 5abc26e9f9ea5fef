import AppSiteAssociation

/// Any bytes as a property list with associated domains, and as a single entry of one.
func fuzzEntitlements(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let file = try EntitlementFile(reading: SourceText(name: "input", bytes: bytes))
        for entry in file.entries ?? [] {
            precondition(entry.range.upperBound <= bytes.count)
            check(entry.entry)
        }
        for problem in file.problems { precondition(!problem.message.isEmpty) }
    } catch {
        precondition(!error.diagnostic.message.isEmpty)
        if let range = error.diagnostic.range { precondition(range.upperBound <= bytes.count) }
    }
    check(EntitlementEntry(String(decoding: bytes, as: UTF8.self)))
    return 0
}

/// An entry without a problem says the same when it is put together again.
private func check(_ entry: EntitlementEntry) {
    _ = entry.covers(host: "www.example.com")
    guard entry.problems.isEmpty else { return }
    var text = entry.service + ":"
    text += entry.isAnyDomain ? "*" : (entry.isWildcard ? "*." : "") + entry.domain
    if let port = entry.port { text += ":\(port)" }
    let modes: [EntitlementEntry.Mode: String] = [
        .developer: "developer", .managed: "managed", [.developer, .managed]: "developer+managed",
    ]
    if let mode = modes[entry.mode] { text += "?mode=\(mode)" }
    let again = EntitlementEntry(text)
    precondition(
        again.service == entry.service && again.domain == entry.domain
            && again.isWildcard == entry.isWildcard && again.mode == entry.mode)
    precondition(
        entry.isAnyDomain || entry.covers(host: (entry.isWildcard ? "a." : "") + entry.domain))
}
