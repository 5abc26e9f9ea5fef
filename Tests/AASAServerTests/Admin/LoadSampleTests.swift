import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadSampleTests {
    @Test func theKernelsWordsAreRead() {
        let load = MachineLoad(
            pressure:
                "some avg10=1.50 avg60=0.10 avg300=0.00 total=2500000\nfull avg10=0 total=9\n",
            stat: "cpu  10 20 30 40 50 60 70 80 5 6\ncpu0 1 2 3 4\n")
        expectEqual(load.stalledSeconds, 2.5)
        expectEqual(load.stolenTicks, 80)
        expectEqual(load.allTicks, 360)
        expectEqual(MachineLoad(pressure: "", stat: ""), MachineLoad())
    }
}
