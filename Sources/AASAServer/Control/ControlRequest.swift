/// The request of a command to a running server, over HTTP on the server's control socket.
package enum ControlRequest: Sendable, Equatable {
    /// Which process answers, and in which phase it is.
    case process
    /// The verdict of the status page, for people.
    case status
    /// `status.json`.
    case document
    case reload
    /// - Parameter isForced: allowed even if the successor serves less.
    case upgrade(isForced: Bool)

    private var line: String {
        switch self {
        case .process: "GET \(Path.process)"
        case .status: "GET \(Path.status)"
        case .document: "GET /status.json"
        case .reload: "POST \(Path.reload)"
        case .upgrade(let isForced): "POST \(Path.upgrade)" + (isForced ? "?\(Path.force)" : "")
        }
    }

    /// The request as it is sent.
    var message: [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".utf8)
    }

    enum Path {
        static let process = "/process"
        static let status = "/status"
        static let reload = "/reload"
        static let upgrade = "/upgrade"
        /// The query of an upgrade.
        static let force = "force"
    }
}
