import Reactor

/// Sums since the start of the process or of the machine, from which ``LoadMonitor`` judges the
/// load. Two samples make a window.
package struct LoadSample: Sendable, Equatable {
    /// Seconds, of a clock that never steps back.
    package var time: Double
    /// Seconds since 1970, set by the monitor.
    package var second: Int64 = 0
    package var traffic = StatusReport.Traffic()
    package var connections = StatusReport.Connections()
    /// Time clients waited for their handshake, and how many did.
    package var waitedSeconds: Double = 0
    package var waitedCount: UInt64 = 0
    /// How often accepting paused because descriptors or memory were short.
    package var acceptPauses: UInt64 = 0
    /// Those of them because memory was short.
    package var memoryPauses: UInt64 = 0
    /// Cores this process can use.
    package var processors = 1
    package var machine = MachineLoad()
}

extension CloseReason {
    package enum Meaning: Sendable { case served, left, cut, fault }

    /// What the end of a connection says about whether its client was served.
    package var meaning: Meaning {
        switch self {
        case .answered, .peerClosed, .idleTimeout, .requestLimit, .draining, .lifetime: .served
        case .leftWhileWaiting, .handshakeAbandoned, .leftBeforeAnswer: .left
        case .handshakeTimeout, .descriptorPressure, .slowReader: .cut
        // Noise, attacks and faults: more capacity would not have served them.
        default: .fault
        }
    }
}

/// The load of the whole machine as the kernel reports it; 0 where the kernel reports nothing.
package struct MachineLoad: Sendable, Equatable {
    /// Time in which at least one runnable task had no processor, in seconds since the machine
    /// started (`/proc/pressure/cpu`, "some").
    package var stalledSeconds: Double = 0
    /// Time that the hypervisor took, and time in total, over all processors (`/proc/stat`).
    package var stolenTicks: UInt64 = 0
    package var allTicks: UInt64 = 0

    package init() {}

    package static func now() -> MachineLoad {
        MachineLoad(pressure: text("/proc/pressure/cpu"), stat: text("/proc/stat"))
    }

    /// - Parameters:
    ///   - pressure: `some avg10=0.00 avg60=0.00 avg300=0.00 total=…` in microseconds.
    ///   - stat: text whose first line is `cpu user nice system idle iowait irq softirq steal …`.
    init(pressure: String, stat: String) {
        // Of the first line: the others, one per processor and interrupt, are not split.
        func words(_ text: String) -> [Substring] {
            text.prefix { $0 != "\n" }.split(separator: " ")
        }
        if pressure.hasPrefix("some ") {
            let total = words(pressure).first { $0.hasPrefix("total=") }
            stalledSeconds = (total.flatMap { Double($0.dropFirst(6)) } ?? 0) / 1e6
        }
        let numbers = words(stat).dropFirst().compactMap { UInt64($0) }
        // The last two fields, guest and guest_nice, are part of user and nice already (proc(5)).
        allTicks = numbers.prefix(8).reduce(0, &+)
        stolenTicks = numbers.count > 7 ? numbers[7] : 0
    }

    private static func text(_ path: String) -> String {
        // `/proc/stat` has a line per processor, so it is long on a large machine; line 1 is the
        // sum.
        String(decoding: (try? Files.read(path, limit: 1 << 20)) ?? [], as: UTF8.self)
    }
}
