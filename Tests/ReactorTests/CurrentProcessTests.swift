import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct CurrentProcessTests {
    @Test func `The words of the command line are those that the process was started with`() {
        #expect(!CurrentProcess.arguments.isEmpty)
        expectEqual(CurrentProcess.arguments, CommandLine.arguments)
    }

    @Test func `Memory in use is a part of the machine's`() {
        #expect(CurrentProcess.residentBytes > CurrentProcess.pageBytes)
        #expect(CurrentProcess.residentBytes < CurrentProcess.machineBytes)
    }

    /// In a process of its own, whose start has touched much.
    @Test func `Pages of code are given back, and come again`() async {
        await #expect(processExitsWith: .success) {
            let before = CurrentProcess.residentBytes
            CurrentProcess.releaseCodePages()
            let after = CurrentProcess.residentBytes
            exit(after > 0 && after < before ? 0 : 1)
        }
    }

    /// In a process of its own: the others of this one read the environment meanwhile.
    @Test func `A variable that was removed is not there any more`() async {
        await #expect(processExitsWith: .success) {
            let name = "AASA_TEST_REMOVED"
            setenv(name, "1", 1)
            guard CurrentProcess.variable(name) == "1" else { exit(1) }
            CurrentProcess.removeVariable(name)
            let isGone =
                CurrentProcess.variable(name) == nil && CurrentProcess.environment[name] == nil
            exit(isGone ? 0 : 2)
        }
    }
}
