import AppSiteAssociation

/// Reads the fields of a stored JSON object; a missing or mistyped field is an error with its name.
struct FieldReader {
    let place: String
    let value: JSONValue

    /// Records and pointers have some hundred bytes; a part of a file list has at most half a MiB
    /// (``FileList/partFilesMaximum``).
    private static let limits = JSONLimits(bytesMaximum: 2 << 20, depthMaximum: 8)

    init(_ bytes: [UInt8], place: String) throws(FleetError) {
        self.place = place
        do {
            value = try JSONReader.read(
                SourceText(name: place, bytes: bytes), limits: Self.limits
            ).root
        } catch {
            throw .damaged(place, "it is not JSON: \(error.message)")
        }
        guard value.members != nil else { throw .damaged(place, "it is not a JSON object") }
        let format = try integer("format")
        guard format == FieldReader.format else {
            throw FleetError(
                place: place,
                cause: "a newer aasa wrote it (format \(format))",
                remedy: "upgrade aasa on this machine")
        }
    }

    init(_ value: JSONValue, place: String) {
        self.place = place
        self.value = value
    }

    /// The version of all stored formats.
    static let format: Int64 = 1

    /// The bytes to store for an object with these fields.
    static func encode(_ fields: [(String, JSONValue)]) -> [UInt8] {
        JSONWriter.minified(.object([("format", .integer(format))] + fields))
    }

    func text(_ name: String) throws(FleetError) -> String {
        guard let text = value[name]?.string else { throw missing(name, "a string") }
        return text
    }

    func integer(_ name: String) throws(FleetError) -> Int64 {
        guard let number = value[name]?.integer else { throw missing(name, "a whole number") }
        return number
    }

    /// A SHA-256 in hexadecimal digits.
    func hash(_ name: String) throws(FleetError) -> String {
        let text = try text(name)
        guard Self.isHash(text) else { throw missing(name, "a SHA-256") }
        return text
    }

    func hashes(_ name: String) throws(FleetError) -> [String] {
        guard let items = value[name]?.array else { throw missing(name, "a list") }
        var hashes: [String] = []
        for item in items {
            guard let text = item.string, Self.isHash(text) else {
                throw missing(name, "a list of SHA-256")
            }
            hashes.append(text)
        }
        return hashes
    }

    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private func missing(_ name: String, _ what: String) -> FleetError {
        .damaged(place, "its field \"\(name)\" is not \(what)")
    }
}
