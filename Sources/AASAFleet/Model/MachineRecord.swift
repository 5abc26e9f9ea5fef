package import AppSiteAssociation

/// The status that a machine reports, under a lease: dead machines disappear from the list.
package struct MachineRecord: Sendable, Equatable {
    package struct Refusal: Sendable, Equatable {
        package var revision: RevisionID
        package var reason: String
    }

    /// The health of the endpoint.
    package struct Health: Sendable, Equatable {
        /// `well`, `attention`, `overloaded` or `failing`.
        package var level = "well"
        /// The most urgent problem.
        package var reason: String?
        /// In the last second.
        package var answered: Int64 = 0
        package var unavailable: Int64 = 0
        /// The earliest expiration of its certificates; seconds since 1970.
        package var certificateEnd: Int64?

        package init() {}
    }

    package var machine: String
    package var version: String
    package var channel: String
    /// Nil if it serves no revision yet.
    package var revision: RevisionID?
    /// Since when; seconds since 1970.
    package var since: Int64 = 0
    package var refused: Refusal?
    /// Nil: what it serves is what it should.
    package var damage: RevisionDamage?
    package var health = Health()
    /// When the record was written; seconds since 1970, by the machine's clock.
    package var time: Int64 = 0

    package init(machine: String, version: String, channel: String) {
        self.machine = machine
        self.version = version
        self.channel = channel
    }

    /// The reason of a refusal or of damage is one line for people.
    package static let reasonMaximum = 500

    package var json: JSONValue {
        .object([
            ("format", .integer(Int(FieldReader.format))), ("machine", .text(machine)),
            ("version", .text(version)), ("channel", .text(channel)),
            ("serves", revision?.json ?? JSONValue(.null)), ("since", .integer(Int(since))),
            (
                "refused",
                refused.map {
                    .object([
                        ("revision", .integer(Int($0.revision.number))),
                        ("sha256", .text($0.revision.hash)),
                        ("reason", .text(String($0.reason.prefix(Self.reasonMaximum)))),
                    ])
                } ?? JSONValue(.null)
            ),
            ("damaged", damage?.json ?? JSONValue(.null)),
            ("health", .text(health.level)), ("healthReason", .text(health.reason)),
            ("answeredPerSecond", .integer(Int(health.answered))),
            ("unavailablePerSecond", .integer(Int(health.unavailable))),
            ("certificateEnd", .integer(health.certificateEnd)),
            ("time", .integer(Int(time))),
        ])
    }

    package var encoded: [UInt8] { JSONWriter.minified(json) }

    package init(decoding bytes: [UInt8], place: String) throws(FleetError) {
        let fields = try FieldReader(bytes, place: place)
        machine = try fields.text("machine")
        version = try fields.text("version")
        channel = try fields.text("channel")
        revision = RevisionID(fields.value["serves"])
        since = try fields.integer("since")
        if let refusal = fields.value["refused"], let id = RevisionID(refusal) {
            refused = Refusal(
                revision: id, reason: try FieldReader(refusal, place: place).text("reason"))
        }
        damage = RevisionDamage(fields.value["damaged"])
        health.level = try fields.text("health")
        health.reason = fields.value["healthReason"]?.string
        health.answered = try fields.integer("answeredPerSecond")
        health.unavailable = try fields.integer("unavailablePerSecond")
        health.certificateEnd = fields.value["certificateEnd"]?.integer
        time = try fields.integer("time")
    }
}
