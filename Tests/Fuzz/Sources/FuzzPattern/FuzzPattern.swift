import AppSiteAssociation

/// Any pattern against any URL: the first line is the pattern, the second the URL, the rest values
/// of the variable `v`. An answer comes in time (libFuzzer's -timeout), a pattern that is its own
/// text matches itself, and a document made of the pattern answers the same by both ways of asking.
func fuzzPattern(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let pattern = lines.isEmpty ? "" : lines.removeFirst()
    let target = lines.isEmpty ? "" : lines.removeFirst()
    let variables = [(name: "v", values: lines)]
    for caseSensitive in [true, false] {
        for place in [Pattern.Place.path, .text] {
            let compiled = Pattern(
                pattern, place: place, caseSensitive: caseSensitive, variables: variables)
            _ = compiled.matches(target)
            if !pattern.utf8.contains(where: { "*?$".utf8.contains($0) }) {
                precondition(compiled.matches(pattern), "a plain pattern matches itself")
            }
        }
    }
    checkDocument(pattern, target)
    return 0
}

private func checkDocument(_ pattern: String, _ target: String) {
    guard let url = URLParts("/" + target) else { preconditionFailure("a path is a URL") }
    var bytes = Array("{\"applinks\":{\"details\":[{\"appID\":\"A.b\",\"components\":[{\"/\":".utf8)
    JSONWriter.append(string: pattern, to: &bytes)
    bytes += Array("}]}]}}".utf8)
    let source = SourceText(name: "document", bytes: bytes)
    guard let file = try? AssociationFile(reading: source) else {
        preconditionFailure("what was written is JSON")
    }
    let association = CompiledAssociation(file)
    let answers = association.decide(url, explain: true)
    precondition(answers.first?.decision == association.decide(url).first?.decision)
}
