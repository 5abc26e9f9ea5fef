import AppSiteAssociation

/// The revision that a machine should serve is damaged on its disk.
package struct RevisionDamage: Error, Sendable, Equatable {
    package var revision: Int64
    /// Which file, and what is wrong with it.
    package var reason: String

    var json: JSONValue {
        let short = String(reason.prefix(MachineRecord.reasonMaximum))
        return .object([("revision", .integer(Int(revision))), ("reason", .text(short))])
    }
}

extension RevisionDamage {
    /// Nil: none, as in the records of older releases.
    init?(_ value: JSONValue?) {
        guard let fields = value.map({ FieldReader($0, place: "") }),
            let revision = try? fields.integer("revision"),
            let reason = try? fields.text("reason")
        else { return nil }
        self.init(revision: revision, reason: reason)
    }
}
