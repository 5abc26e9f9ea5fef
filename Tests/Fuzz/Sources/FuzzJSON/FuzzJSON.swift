import AppSiteAssociation

/// Any bytes as a JSON document. A document that is read is written, read again, and means the
/// same; an edit of it gives back the bytes; merge and diff of it end. One that is not has its
/// reason and place.
func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let source = SourceText(name: "input", bytes: bytes)
    do {
        checkDocument(try JSONReader.read(source))
    } catch {
        precondition(error.offset >= 0 && error.offset <= bytes.count)
        precondition(error.position.line >= 1 && error.position.column >= 1)
        precondition(!error.message.isEmpty && !error.remedy.isEmpty)
    }
    return 0
}

private func checkDocument(_ document: JSONDocument) {
    precondition(document.root.range.upperBound <= document.source.bytes.count)
    checkRanges(document.root)
    let written = JSONWriter.minified(document.root)
    let again = try? JSONReader.read(SourceText(name: "written", bytes: written))
    guard let again else { preconditionFailure("what was written is not JSON") }
    precondition(JSONWriter.minified(again.root) == written, "writing is not stable")
    precondition(again.duplicateKeys.count == document.duplicateKeys.count)

    let file = AssociationFile(document: document)
    let other = AssociationFile(document: again)
    precondition(AssociationDiff.diff(file, other).isEmpty, "formatting is no change")
    for problem in file.problems { precondition(problem.start != nil) }

    let merged = Merge.merge([Fragment(team: "AAAA111111", file: file)])
    if let bytes = merged.bytes {
        let result = try? AssociationFile(reading: SourceText(name: "merged", bytes: bytes))
        precondition(result != nil, "a merged document is not JSON")
        let sum = merged.teamSizes.reduce(0) { $0 + $1.bytes }
        precondition(sum <= bytes.count, "the sizes do not add up")
    }
    if document.duplicateKeys.isEmpty { checkEdit(document) }
}

/// Every value lies inside its container, behind its neighbour.
private func checkRanges(_ value: JSONValue) {
    var position = value.range.lowerBound
    func check(_ range: Range<Int>) {
        precondition(range.lowerBound >= position && range.upperBound <= value.range.upperBound)
        position = range.upperBound
    }
    switch value.kind {
    case .array(let values):
        for value in values {
            check(value.range)
            checkRanges(value)
        }
    case .object(let members):
        for member in members {
            check(member.keyRange)
            check(member.value.range)
            checkRanges(member.value)
        }
    case .null, .bool, .number, .string: break
    }
}

private func checkEdit(_ document: JSONDocument) {
    var editor = FragmentEditor(document)
    guard (try? editor.add(app: "ZZZZ999999.fuzz", to: .webcredentials)) != nil else { return }
    precondition(editor.services(of: "ZZZZ999999.fuzz") == [.webcredentials])
    do {
        try editor.remove(app: "ZZZZ999999.fuzz", from: .webcredentials)
    } catch {
        preconditionFailure("what was added cannot be removed: \(error)")
    }
    precondition(editor.services(of: "ZZZZ999999.fuzz").isEmpty)
}
