import AASAClient

/// The CAA records (RFC 8659) of a name, which say who may issue certificates for it.
package struct CAARecords: Sendable, Hashable {
    /// One property of one record.
    package struct Property: Sendable, Hashable {
        /// An authority that does not know the tag must not issue (RFC 8659 section 4.1).
        package let isCritical: Bool
        /// In lower case.
        package let tag: String
        package let value: String

        package init(isCritical: Bool = false, tag: String, value: String) {
            self.isCritical = isCritical
            self.tag = tag.lowercased()
            self.value = value
        }
    }

    /// The domain of the records: the name itself or a parent.
    package let domain: String
    package let properties: [Property]

    /// The DNS record type.
    package static let recordType: UInt16 = 257

    /// The records of the name, or of its first parent that has some (RFC 8659 section 3).
    ///
    /// - Parameter ask: queries a name server for one domain; nil for no records.
    /// - Returns: nil if there are no records, so that every authority may issue.
    package static func find<Failure: Error>(
        _ name: String, ask: (String) -> Result<[UInt8]?, Failure>
    ) throws -> CAARecords? {
        var labels = name.split(separator: ".")[...]
        while !labels.isEmpty {
            let domain = labels.joined(separator: ".")
            if let answer = try ask(domain).get() {
                let properties = try read(answer)
                if !properties.isEmpty {
                    return CAARecords(domain: domain, properties: properties)
                }
            }
            labels = labels.dropFirst()
        }
        return nil
    }

    /// Whether an authority may issue.
    ///
    /// - Parameters:
    ///   - identities: the authority's domains (`caaIdentities` of its directory).
    ///   - challenge: how the names are validated (RFC 8657 section 4).
    ///   - account: the account's URL; nil if there is none yet (RFC 8657 section 3).
    /// - Returns: why it may not; nil if it may.
    package func refusal(
        identities: [String], challenge: ChallengeKind, account: String?
    ) -> String? {
        let known: Set = [
            "issue", "issuewild", "iodef", "issuemail", "contactemail", "contactphone",
        ]
        if let unknown = properties.first(where: { $0.isCritical && !known.contains($0.tag) }) {
            return
                "\(domain) has the critical property \"\(unknown.tag)\", which no authority supports"
        }
        let issuers = properties.filter { $0.tag == "issue" }
        if issuers.isEmpty { return nil }
        var reasons: [String] = []
        for issuer in issuers {
            guard let parsed = Issuer(issuer.value) else { continue }
            if !identities.contains(where: { $0.lowercased() == parsed.domain }) { continue }
            if let uri = parsed.parameters["accounturi"], uri != account {
                reasons.append("\(domain) allows only the account \(AuthorityText.clean(uri, 200))")
            } else if let methods = parsed.parameters["validationmethods"],
                !methods.split(separator: ",").contains(where: { $0 == challenge.rawValue })
            {
                reasons.append(
                    "\(domain) allows only \(AuthorityText.clean(methods, 100)), and this server answers "
                        + challenge.rawValue)
            } else {
                return nil
            }
        }
        if let reason = reasons.first { return reason }
        let allowed = issuers.map { AuthorityText.clean($0.value, 100) }.joined(separator: ", ")
        return "\(domain) allows \(allowed == ";" ? "no authority" : allowed), not "
            + identities.joined(separator: " or ")
    }

    /// The value of `issue`: a domain, then parameters after semicolons (RFC 8659 section 4.2).
    private struct Issuer {
        let domain: String
        var parameters: [String: String] = [:]

        init?(_ value: String) {
            let parts = value.split(separator: ";", omittingEmptySubsequences: false)
                .map(\.trimmingBlanks)
            guard let first = parts.first, !first.isEmpty else { return nil }
            domain = first.lowercased()
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1)
                if pair.count == 2 {
                    parameters[pair[0].trimmingBlanks.lowercased()] = pair[1].trimmingBlanks
                }
            }
        }
    }

    // MARK: The message

    /// Parses the CAA properties in a DNS response (RFC 1035 section 4, RFC 8659 section 4.1).
    ///
    /// - Throws: ``InvalidResponse`` for an invalid message.
    package static func read(_ message: [UInt8]) throws(InvalidResponse) -> [Property] {
        var reader = MessageReader(bytes: message)
        reader.place = 4
        let questions = try reader.number()
        let answers = try reader.number()
        reader.place = 12
        for _ in 0..<questions {
            try reader.skipName()
            reader.place += 4
        }
        var properties: [Property] = []
        for _ in 0..<answers {
            try reader.skipName()
            let type = try reader.number()
            reader.place += 6
            let data = try reader.bytes(Int(try reader.number()))
            guard type == recordType else { continue }
            guard data.count >= 2, data.count >= 2 + Int(data[1]) else {
                throw InvalidResponse("a CAA record is too short")
            }
            let tagEnd = 2 + Int(data[1])
            properties.append(
                Property(
                    isCritical: data[0] & 0x80 != 0,
                    tag: AuthorityText.clean(String(decoding: data[2..<tagEnd], as: UTF8.self), 50),
                    value: String(decoding: data[tagEnd...], as: UTF8.self)))
        }
        return properties
    }

    private struct MessageReader {
        let bytes: [UInt8]
        var place = 0

        mutating func bytes(_ count: Int) throws(InvalidResponse) -> [UInt8] {
            guard place >= 0, count <= bytes.count - place else {
                throw InvalidResponse("the name server's answer is truncated")
            }
            defer { place += count }
            return Array(bytes[place..<(place + count)])
        }

        mutating func number() throws(InvalidResponse) -> UInt16 {
            let pair = try bytes(2)
            return UInt16(pair[0]) << 8 | UInt16(pair[1])
        }

        /// Skips labels up to an empty one or a pointer, which ends a name.
        mutating func skipName() throws(InvalidResponse) {
            while true {
                let length = try bytes(1)[0]
                if length == 0 { return }
                if length & 0xC0 == 0xC0 {
                    place += 1
                    return
                }
                place += Int(length)
            }
        }
    }
}
