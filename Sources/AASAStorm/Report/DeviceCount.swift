/// How many devices came, and how they ended: those of a storm so far, of an era, or of a second.
package struct DeviceCount: Sendable, Equatable {
    package var devices = 0
    package var associated = 0
    package var willRetry = 0
    package var denied = 0
    package var failed = 0

    package init() {}

    package var ended: Int { associated + willRetry + denied + failed }

    mutating func ended(_ outcome: DeviceOutcome) {
        switch outcome {
        case .associated: associated += 1
        case .willRetry: willRetry += 1
        case .denied: denied += 1
        case .failed: failed += 1
        }
    }

    static func + (a: DeviceCount, b: DeviceCount) -> DeviceCount {
        var sum = a
        for (_, path) in members { sum[keyPath: path] += b[keyPath: path] }
        return sum
    }

    /// The counts by their names in reports.
    static var members: [(name: String, path: WritableKeyPath<DeviceCount, Int>)] {
        [
            ("devices", \.devices), ("associated", \.associated), ("willRetry", \.willRetry),
            ("denied", \.denied), ("failed", \.failed),
        ]
    }
}
