/// The request of a command to a running server, over HTTP on the server's control socket: a method
/// and a target.
package enum ControlRequest: String, Sendable {
    /// Which process answers, and in which phase it is.
    case process = "GET /process"
    /// The verdict of the status page, for people.
    case status = "GET /status"
    case document = "GET /status.json"
    case reload = "POST /reload"
    case upgrade = "POST /upgrade"
    /// The same, allowed even if the successor serves less.
    case forcedUpgrade = "POST /upgrade?force"

    /// The request as it is sent.
    var message: [UInt8] {
        Array("\(rawValue) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".utf8)
    }
}
