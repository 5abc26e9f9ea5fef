import AppSiteAssociation

/// The revision of a channel, and who set it: the key that machines watch.
package struct ChannelPointer: Sendable, Equatable {
    package enum Action: String, Sendable { case publish, rollback, promote }

    package var revision: RevisionID
    package var action: Action
    package var author: String
    /// Seconds since 1970.
    package var time: Int64
    package var note: String
    /// Identifies this change: a publisher without a response checks whether it was its own.
    package var nonce: String

    package var encoded: [UInt8] {
        FieldReader.encode([
            ("revision", .integer(revision.number)), ("sha256", .text(revision.hash)),
            ("action", .text(action.rawValue)), ("author", .text(author)),
            ("time", .integer(time)), ("note", .text(note)), ("nonce", .text(nonce)),
        ])
    }
}

extension ChannelPointer {
    package init(decoding bytes: [UInt8], place: String) throws(FleetError) {
        let fields = try FieldReader(bytes, place: place)
        revision = RevisionID(
            number: try fields.integer("revision"), hash: try fields.hash("sha256"))
        let word = try fields.text("action")
        guard let action = Action(rawValue: word) else {
            throw .damaged(place, "\"\(word)\" is not an action")
        }
        self.action = action
        author = try fields.text("author")
        time = try fields.integer("time")
        note = try fields.text("note")
        nonce = try fields.text("nonce")
    }
}

/// The last revision number in use. Every change of a fleet changes this key, so that nothing is
/// deleted that another process is about to use.
package struct FleetHead: Sendable, Equatable {
    package var last: Int64
    package var nonce: String

    package var encoded: [UInt8] {
        FieldReader.encode([("last", .integer(last)), ("nonce", .text(nonce))])
    }
}

extension FleetHead {
    package init(decoding bytes: [UInt8], place: String) throws(FleetError) {
        let fields = try FieldReader(bytes, place: place)
        last = try fields.integer("last")
        nonce = try fields.text("nonce")
    }
}
