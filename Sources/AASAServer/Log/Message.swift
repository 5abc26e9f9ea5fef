import Reactor
import Texts

/// What a server reports that needs attention: a sentence of `messages.txt`, and the suggested fix.
struct Message {
    /// The names of the messages; `messages.txt` has a line for each.
    enum Name: String, CaseIterable {
        case starting, draining, hostBroken, noCertificate, noOrderedCertificate, vanished, stray
        case noHost, loadHangs, signatureExpired, expiresSoon, notRenewed, expired, notYetValid
        case shed, nearlyFull, peer, processor, starved, link, memory, descriptors, budget
        case stateUnreadable, servesLess, workersStopped, fewDescriptors, manyConnections
        case manyAddresses, adminOpened, sameAddress, portInUse, pathInUse, fileInTheWay
        case pidFileHeld, pidFileFailed, userForm, noUser, noGroup, onlyRoot, userFailed
        case rootRegained, noLimitToPrivileges, noControlSocket, noToken, tokenKept, diskHangs
        case notReopened, linesLost
    }

    let text: String
    /// Empty if the sentence includes it, or none is known.
    let fix: String

    /// - Parameter values: in place of each `{}`, in this order.
    init(_ name: Name, _ values: [String] = []) {
        var values = values[...]
        let parts = (Self.templates[name.rawValue] ?? []).map { part in
            let pieces = part.split(separator: "{}", omittingEmptySubsequences: false)
            return pieces.dropFirst().reduce(into: String(pieces[0])) { text, piece in
                text += values.popFirst() ?? ""
                text += piece
            }
        }
        text = parts.first ?? ""
        fix = parts.count > 1 ? parts[1] : ""
    }

    /// By name: the sentence, then the fix if there is one.
    static let templates: [String: [Substring]] = {
        var templates: [String: [Substring]] = [:]
        for line in Text.messages.string.split(separator: "\n") where !line.hasPrefix("#") {
            let name = line.prefix { $0 != ":" }
            let rest = line.dropFirst(name.count + 2)
            templates[String(name)] = rest.split(separator: " | ", maxSplits: 1)
        }
        return templates
    }()
}

extension Problem {
    /// A problem of `messages.txt`.
    init(_ name: Message.Name, at place: String = "", _ values: String...) {
        let message = Message(name, values)
        self.init(place: place, cause: message.text, remedy: message.fix)
    }
}
