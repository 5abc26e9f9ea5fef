import Reactor
import Testing

@Suite struct CurrentProcessTests {
    @Test func `The words of the command line are those that the process was started with`() {
        #expect(!CurrentProcess.arguments.isEmpty)
        #expect(CurrentProcess.arguments == CommandLine.arguments)
    }

    @Test func `Memory in use is a part of the machine's`() {
        #expect(CurrentProcess.residentBytes > CurrentProcess.pageBytes)
        #expect(CurrentProcess.residentBytes < CurrentProcess.machineBytes)
    }
}
