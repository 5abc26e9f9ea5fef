import AASADevice
import AppSiteAssociation
import Reactor

extension InstallDeviceCommand {
    /// `--build`: the build's own faults, its domains as a phone reaches them, and its URLs.
    func run(build path: String) throws {
        let source = try entitlements.map { try Self.file($0) }
        let build = try AppBuild(reading: path)
        let faults = BuildRules.findings(of: build, source: source, now: WallClock.seconds)
        // The site is asked as managed mode asks it: directly.
        let phone = try phone { $0 == .managed ? "site, directly" : $0.rules.title }
        let callback = httpsCallback.flatMap { HTTPSCallback($0) }
        let runs = eras.map {
            BuildLinks(of: build, era: $0, urls: urls, callback: callback, install: phone)
        }
        let report = AppBuildReport(build, faults: faults, runs: runs)
        format.show(report.text, report.json)
        if !report.isGood { throw ExitStatus.findings }
    }
}
