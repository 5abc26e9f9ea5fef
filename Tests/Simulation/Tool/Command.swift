import Glibc
import WorkerSimulation

/// The command behind `Tests/Simulation/run`.
enum Command {
    private static let usage = """
        usage: Tests/Simulation/run [--seeds N] [--first SEED] [--size CLIENTS]
               Tests/Simulation/run --seed SEED [--size CLIENTS] [--print]
               Tests/Simulation/run --scenario FILE…
               Tests/Simulation/run --million

          --seeds N     draws N scenarios (200) and judges them by the laws
          --first SEED  the first of them (1)
          --size N      clients that mean it in each, about (8000)
          --seed SEED   runs one and tells what became of whom; --print prints the scenario alone
          --scenario    runs scenarios from files, as Tests/Simulation/Fixtures has them; a law
                        that one expects to be broken has to be
          --million     a million devices

        Exit status: 0 all laws held, 1 one was broken, 2 wrong usage, 3 could not run.
        """

    static func run(_ arguments: [String]) -> Int32 {
        guard Simulation.isBuilt else {
            complain("built without FAULT_INJECTION: start Tests/Simulation/run")
            return 3
        }
        do {
            return try perform(arguments)
        } catch {
            complain("\(error)")
            return 3
        }
    }

    private static func perform(_ arguments: [String]) throws -> Int32 {
        var seeds = 200
        var first = 1
        var size = 8000
        var single: Int?
        var prints = false
        var files: [String] = []
        var rest = arguments[...]
        func number() -> Int? { rest.popFirst().flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
        while let word = rest.popFirst() {
            switch word {
            case "--seeds", "--first", "--size", "--seed":
                guard let value = number() else { return wrong("\(word) needs a number") }
                switch word {
                case "--seeds": seeds = value
                case "--first": first = value
                case "--size": size = value
                default: single = value
                }
            case "--print": prints = true
            case "--scenario":
                files = Array(rest)
                rest = []
                if files.isEmpty { return wrong("--scenario needs a file") }
            case "--million": return try million()
            case "-h", "--help":
                print(usage)
                return 0
            default: return wrong("unknown option \(word)")
            }
        }
        if !files.isEmpty { return try run(files: files) }
        guard let single else { return try run(seeds: seeds, first: first, size: size) }
        let scenario = ScenarioGrammar.scenario(seed: UInt64(single), size: size)
        print(scenario)
        return prints ? 0 : try tell(Simulation.run(scenario))
    }

    private static func wrong(_ message: String) -> Int32 {
        complain("\(message)\n\(usage)")
        return 2
    }

    private static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    // MARK: Runs

    private static func run(seeds: Int, first: Int, size: Int) throws -> Int32 {
        var failed = 0
        var devices = 0
        let began = seconds()
        for seed in first..<(first + seeds) {
            let report = try Simulation.run(
                ScenarioGrammar.scenario(seed: UInt64(seed), size: size))
            devices += report.honest
            if report.violations.isEmpty { continue }
            failed += 1
            for violation in report.violations { print("seed \(seed): \(text(violation))") }
        }
        let took = seconds() - began
        complain("\(devices) devices in \(tenths(took)) s")
        if failed > 0 { complain("a seed again: Tests/Simulation/run --size \(size) --seed SEED") }
        print("\(seeds - failed) passed, \(failed) failed")
        return failed == 0 ? 0 : 1
    }

    private static func run(files: [String]) throws -> Int32 {
        var status: Int32 = 0
        for file in files {
            guard let text = contents(file) else {
                complain("\(file): cannot be read")
                return 3
            }
            let scenario: Scenario
            do throws(Scenario.BadLine) {
                scenario = try Scenario(text: text)
            } catch {
                complain("\(file): \(error)")
                return 3
            }
            print("# \(file)")
            status = max(status, try tell(Simulation.run(scenario)))
        }
        return status
    }

    private static func million() throws -> Int32 {
        var scenario = Scenario()
        for kind in [PeerKind.tls12, .tls13, .http2, .postQuantum] {
            var population = Scenario.Population(kind: kind)
            population.rate = 600
            population.lasts = 417
            scenario.populations.append(population)
        }
        let began = seconds()
        let status = try tell(Simulation.run(scenario))
        complain("\(tenths(seconds() - began)) s")
        return status
    }

    private static func tell(_ report: Simulation.Report) -> Int32 {
        for (population, counted) in zip(
            report.scenario.populations, report.statistics.populations)
        {
            let milliseconds = counted.processorNanoseconds / 1_000_000
            print(
                "\(population.kind.rawValue): \(counted.arrived) came,"
                    + " \(counted.answered) answered, \(counted.unavailable) got 503, \(counted.gaveUp) gave up,"
                    + " \(counted.cut) were cut; \(milliseconds) ms of processor")
        }
        let statistics = report.statistics
        print(
            "\(tenths(statistics.seconds)) s simulated in \(statistics.turns) turns; memory at most"
                + " \(tenths(statistics.memoryShareMaximum * 100)) %, kept input at most"
                + " \(statistics.keptBytesMaximum) bytes of one connection")
        for (place, count) in statistics.gaveUpIn.sorted(by: { $0.key < $1.key }) {
            print("gave up \(place): \(count)")
        }
        for (reason, count) in statistics.closes.sorted(by: { $0.key < $1.key }) {
            print("closed \(reason): \(count)")
        }
        for violation in report.violations { print("BROKEN \(text(violation))") }
        return report.isAsExpected ? 0 : 1
    }

    private static func text(_ violation: Violation) -> String {
        "\(violation.law.rawValue) at \(tenths(violation.seconds)) s: \(violation.text)"
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func contents(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var byte = fgetc(file)
        while byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
