import Reactor

extension StateFolder {
    /// What stands at one place of the folder.
    struct Found {
        let place: String
        /// Of the file, as it was read.
        let status: Files.Status?
        let content: Result<StateRecord, Problem>
    }

    static let rooms: [(kind: StateRecord.Kind, folder: String)] = [
        (.host, "hosts"), (.certificates, "certificates"),
    ]

    /// The readable records of a folder that another server has locked: each is whole, as it is
    /// only ever renamed into its place. What cannot be read is that server's to say.
    package static func recordsOfOther(in path: String) -> [StateRecord] {
        look(in: path).found.compactMap { try? $0.content.get() }
    }

    /// Reads every record, and says which folders of records cannot be read.
    static func look(in path: String) -> (found: [Found], problems: [Problem]) {
        var found: [Found] = []
        var problems: [Problem] = []
        for room in rooms {
            let folder = "\(path)/\(room.folder)"
            do throws(Problem) {
                let names = try names(in: folder, "cannot be read").sorted()
                for name in names.prefix(SiteLimits.hostsMaximum) where !name.hasPrefix(".") {
                    let place = "\(folder)/\(name)"
                    let content = content(of: place, room.kind, name)
                    found.append(
                        Found(place: place, status: Files.status(place), content: content))
                }
            } catch {
                problems.append(error)
            }
        }
        return (found, problems)
    }

    private static func content(
        of place: String, _ kind: StateRecord.Kind, _ name: String
    ) -> Result<StateRecord, Problem> {
        do {
            let bytes = try FileReading.bytes(at: place, maximum: StateRecord.bytesMaximum)
            let record = try StateRecord(decoding: bytes)
            guard record.kind == kind, StateRecord.escaped(record.name) == name else {
                throw StateError.unusable("it is the state of \(record.name)")
            }
            return .success(record)
        } catch {
            return .failure(
                Problem(
                    place: place, cause: (error as? Problem)?.cause ?? "\(error)",
                    remedy: "it stays there until the host has a good document; let the "
                        + "server's user read it, or remove it"))
        }
    }

    static func names(in path: String, _ cause: String) throws(Problem) -> [String] {
        do throws(FileError) {
            // No limit: entries that are not read would never be removed.
            return try Files.names(in: path, limit: .max)
        } catch {
            throw .system(path, cause, error)
        }
    }
}
