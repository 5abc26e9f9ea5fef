import AASADevice
import AppSiteAssociation
import Reactor

/// Where a watcher keeps what it knows: one file per host, and what is on its way to the webhook.
/// Each is written whole or not at all.
struct WatchFolder: Sendable {
    let path: String
    /// Two watchers would each write over what the other knows, and tell everything twice.
    private let lock: FolderLock

    /// A host with thousands of apps, and room.
    private static let bytesMaximum = 16 << 20
    private static let queueName = "webhook.json"

    /// - Throws: ``CommandError`` where the folder cannot be made, or another watcher has it.
    init(_ path: String) throws {
        self.path = path
        let held: FolderLock?
        do {
            try Files.makeFolder(path, mode: 0o750)
            held = try FolderLock(path)
        } catch {
            throw CommandError(
                error.description, remedy: "name a folder that can be written with --state")
        }
        guard let held else {
            throw CommandError(
                "another watcher keeps its state here", place: "--state \(path)",
                remedy: "end that one first, or give each watcher a folder of its own")
        }
        lock = held
    }

    private func file(_ host: String) -> String {
        "\(path)/host-" + host.map { $0 == ":" || $0 == "/" ? "_" : $0 } + ".json"
    }

    private func read(_ file: String) -> JSONValue? {
        guard let bytes = try? Files.read(file, limit: Self.bytesMaximum) else { return nil }
        return try? JSONReader.read(
            SourceText(name: file, bytes: bytes),
            limits: JSONLimits(bytesMaximum: Self.bytesMaximum, depthMaximum: 64)
        ).root
    }

    /// - Returns: nil where nothing is known yet.
    func host(_ name: String) -> HostWatch? {
        let place = file(name)
        guard Files.status(place) != nil else { return nil }
        if let known = read(place).flatMap({ HostWatch(host: name, json: $0) }) { return known }
        Terminal.note("aasa: \(place): cannot be read as the state of \(name): it begins anew")
        return nil
    }

    /// - Throws: what keeps it from being written.
    func save(_ host: HostWatch) throws(FileError) {
        try Files.replace(file(host.host), with: JSONWriter.minified(host.json) + [0x0A])
    }

    func queue() -> WebhookQueue {
        let stored = read("\(path)/\(Self.queueName)")?.array ?? []
        return WebhookQueue(
            restoring: stored.compactMap { entry in
                guard let id = entry["id"]?.string, let body = entry["body"]?.string else {
                    return nil
                }
                return (id, Array(body.utf8))
            })
    }

    func save(_ queue: WebhookQueue) throws(FileError) {
        let json = JSONValue.list(
            queue.entries.map {
                .object([
                    ("id", .text($0.id)), ("body", .text(String(decoding: $0.body, as: UTF8.self))),
                ])
            })
        // What a template took from the environment stands in the bodies: keys of receivers.
        try Files.replace(
            "\(path)/\(Self.queueName)", with: JSONWriter.minified(json) + [0x0A],
            mode: .exactly(0o600))
    }
}
