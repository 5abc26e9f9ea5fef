import AASAServer
import AppSiteAssociation
import OpenSSL

/// An association document as the commands take it: a file (plain or signed), `-`, or a host's
/// folder, whose fragments are merged exactly as the server merges them.
struct AssociationInput {
    let file: AssociationFile
    /// Every name of the host, where a folder or a URL tells it.
    let names: [String]
    /// Statements for Android's apps that stand beside it: `assetlinks.json`, or the teams' parts.
    var statements: [JSONDocument] = []
    /// The document as it was merged from the files of a folder.
    var merged: HostDocument?

    /// Where a part of the document was written: in a team's file, or in the document itself.
    func place(of range: Range<Int>) -> SourcePlace {
        let (source, range) = merged?.place(of: range) ?? (file.source, range)
        return SourcePlace(source: source, range: range)
    }
}

extension AssociationInput {
    /// - Throws: where no document can be built of a host's files.
    init(_ host: HostSource) throws(CommandError) {
        let review = host.build()
        guard let document = review.document else {
            let first = review.refusals.first
            throw CommandError(
                "no document can be built" + (first.map { ": \($0)" } ?? ""), place: host.place,
                remedy: first?.remedy ?? "aasa build \(host.place) lists all problems")
        }
        self.init(
            file: document.file, names: LinkTests.names(of: host),
            statements: Self.statements(of: host), merged: document)
    }

    /// - Parameter command: what says more about a document that is none.
    static func read(
        _ source: SourceText, names: [String] = [], moreBy command: String
    ) throws(CommandError) -> AssociationInput {
        let document = try InputFile.json(payload(source))
        if CMSVerifier.looksSigned(source.bytes), CMSVerifier.holds(source.bytes) != true {
            throw CommandError(
                "devices refuse this document: its signature is not valid for its content",
                place: source.name, remedy: "sign it again; \(command) says more",
                status: .findings)
        }
        // An assetlinks.json by mistake would be a document that opens nothing.
        guard document.root.members != nil else {
            throw CommandError(
                "this is \(document.root.kindName), and an association document is an object",
                place: source.name,
                remedy: "is this the right file? \(command) says more")
        }
        return AssociationInput(file: AssociationFile(document: document), names: names)
    }

    /// A hand-written document is served in place of the teams' parts.
    private static func statements(of host: HostSource) -> [JSONDocument] {
        let name = SiblingPart.Kind.assetLinks.rawValue
        let written = host.siblings.filter { !$0.isMerged && $0.name == name }.map(\.source)
        let parts = host.siblingParts.filter { $0.kind == .assetLinks }.map(\.source)
        return (written.isEmpty ? parts : written).compactMap { try? JSONReader.read($0) }
    }

    /// The JSON inside a signed file; positions are then those inside the payload.
    static func payload(_ source: SourceText) -> SourceText {
        guard CMSVerifier.looksSigned(source.bytes),
            let payload = CMSVerifier.payload(of: source.bytes)
        else { return source }
        return SourceText(name: source.name, bytes: payload)
    }
}

/// A place in a file that a report names.
struct SourcePlace {
    let source: SourceText
    let range: Range<Int>

    /// `FILE:LINE:COLUMN`
    var text: String { "\(source.name):\(source.position(at: range.lowerBound))" }

    /// The same for machines.
    var members: [(String, JSONValue)] {
        let position = source.position(at: range.lowerBound)
        return [
            ("file", .text(source.name)), ("line", .integer(position.line)),
            ("column", .integer(position.column)),
        ]
    }

    /// What is written there, on one line and not too long.
    var excerpt: String {
        // Two thousand apps may share one rule of 60 KB.
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 1000)
        let words = source.text(in: head).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        return line.count <= 90 && head == range ? line : line.prefix(87) + "..."
    }
}
