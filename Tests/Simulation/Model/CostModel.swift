/// What the worker's calls cost, in nanoseconds of a machine with slowness 1 (speed.md, and
/// Tests/Guards for the number of calls). The handshake's two halves stand in ``Scenario/Machine``.
enum CostModel {
    static let accept: Int64 = 9000
    static let close: Int64 = 6000
    static let receive: Int64 = 1500
    static let send: Int64 = 4000
    static let wait: Int64 = 1200
    static let event: Int64 = 150
    static let watch: Int64 = 900
    static let ask: Int64 = 700
    static let request: Int64 = 4000
    static let turn: Int64 = 800
    /// Encrypting and handing over a byte.
    static let nanosPerByte = 0.5
    /// The kernel's own work, which no call of ours begins: a new connection, a segment.
    static let softConnection: Int64 = 8000
    static let softSegment: Int64 = 700
    static let softDrop: Int64 = 1500

    /// All of it for one client that asks once, without the handshake.
    static let connectionMicros =
        Double(
            accept + close + 3 * receive + 2 * send + 3 * event + watch + request + softConnection
                + 4 * softSegment) / 1000
}
