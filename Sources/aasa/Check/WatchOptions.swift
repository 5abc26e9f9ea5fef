import AASADevice
import ArgumentParser
import Reactor

/// The options of `aasa check --watch`.
struct WatchOptions: ParsableArguments {
    @Option(
        help: .value("seconds", "Check at this interval and print only changes."))
    var watch: Int?

    @Option(
        help: .value("file", "Also check the hosts in this file, one per line."))
    var hostsFile: String?

    @Option(
        help: .value("addr:port", "Serve /metrics and /healthz on this address."))
    var admin: String?

    @Option(
        help: .value("file", "The token that /metrics requires."))
    var adminTokenFile: String?

    /// More often would be an attack on another owner's host; those named by `--resolve` are the
    /// operator's own.
    static let secondsMinimum = 10
    /// 10,000 hosts with names of 100 characters.
    static let hostsFileBytesMaximum = 1 << 20
    static let hostsMaximum = 10_000

    func validate() throws {
        if let watch, !(1...86_400).contains(watch) {
            throw ValidationError("--watch: 1 to 86400 seconds")
        }
        if watch == nil, admin != nil { throw ValidationError("--admin requires --watch SECONDS") }
        if let admin, SocketAddress(parsing: admin) == nil {
            throw ValidationError("--admin: ADDR:PORT or unix:PATH, not \"\(admin)\"")
        }
    }

    /// The names in `--hosts-file`.
    func namesFromFile() throws -> [String] {
        guard let hostsFile else { return [] }
        let bytes = try InputFile.read(hostsFile, maximum: Self.hostsFileBytesMaximum)
        var names: [String] = []
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in lines.enumerated() {
            let name = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" }
            if name.isEmpty { continue }
            guard CheckTarget(name) != nil else {
                throw CommandError(
                    "\"\(name)\" is not a host name", place: "\(hostsFile):\(number + 1)",
                    remedy: "one host a line, with a port if it is not 443", status: .usage)
            }
            names.append(name)
        }
        guard names.count <= Self.hostsMaximum else {
            throw CommandError(
                "\(names.count) hosts are more than \(Self.hostsMaximum)", place: hostsFile,
                remedy: "share them out among several watchers", status: .usage)
        }
        return names
    }
}
