// Covers: SignatureReader.swift, CheckSettings.swift, Sibling.swift, PageSigns.swift

import AASAClient
import AASADevice
import AppSiteAssociation
import Foundation
import OpenSSL
import Reactor
import TestSupport
import Testing

/// Every faulty origin gets its own code and a remedy; the good ones get neither error nor warning.
@Suite struct ZooTests {
    @Test func hasManyAnimals() {
        #expect(Animal.all.count >= 100)
        expectEqual(ZooVerdicts.rows.count, Animal.all.count)
        expectEqual(Set(Animal.all.map(\.name)).count, Animal.all.count)
        for animal in Animal.all {
            guard let code = animal.code else { continue }
            let entry = CheckCatalog.entry(code) ?? RuleCatalog.rule(code)
            #expect(entry != nil, "\(code) is not in the catalogue")
            #expect(entry?.why.isEmpty == false && entry?.remedy.isEmpty == false)
        }
    }

    /// Writes the rows of ``ZooVerdicts``, to be read and not just to be taken over.
    @Test func prints() throws {
        guard ProcessInfo.processInfo.environment["AASA_ZOO_TABLE"] != nil else { return }
        for animal in Animal.all {
            print("ROW " + ZooVerdicts.row(animal, try Self.check(animal)))
        }
    }

    @Test(arguments: Animal.all)
    func getsItsCode(_ animal: Animal) throws {
        let report = try Self.check(animal)
        let row = ZooVerdicts.rows[animal.name]
        expectEqual(ZooVerdicts.row(animal, report), row, "\(report.text(verbose: false))")
        let serious = report.findings.filter { $0.severity > .note }
        let told = serious.map { "\($0.code): \($0.message)" }
        guard let code = animal.code else {
            #expect(told.isEmpty, "a false alarm")
            expectEqual(report.evidence.unasked, 0)
            for transcript in report.evidence.eras where transcript.era != .ios8 {
                // Before iOS 12.2 nobody speaks TLS 1.3.
                if animal.name == "good with TLS 1.3 only", transcript.era == .ios93 {
                    expectEqual(transcript.verdict.name, "failed")
                    continue
                }
                expectEqual(
                    transcript.verdict, .associated,
                    "\(transcript.era): \(transcript.verdict.sentence)")
            }
            return
        }
        let finding = report.findings.first { $0.code == code }
        #expect(finding != nil, "\(code) is missing among \(told)")
        expectEqual(finding?.remedy?.isEmpty, false)
        expectEqual(finding?.message.isEmpty, false)
        // What belongs to the fault may be said as well; nothing else.
        let others = Set(serious.map(\.code)).subtracting([code]).subtracting(animal.also)
        #expect(others.isEmpty, "also said: \(told)")
        #expect(report.text(verbose: true).contains(code))
        // The verdict of current devices is the last word: without an error they are content.
        let current = report.evidence.eras.filter { $0.era == .ios14 }
        #expect(!current.isEmpty)
        if report.count(.error) == 0 {
            #expect(
                current.allSatisfy { $0.verdict == .associated }, "\(report.text(verbose: true))")
        }
    }

    static func check(_ animal: Animal) throws -> CheckReport {
        let certificates = try ZooCertificates.shared.get()
        let server = try FaultServer(
            tls: animal.server(certificates), handshake: animal.handshake,
            answer: animal.answers(certificates))
        var settings = CheckSettings(now: certificates.now)
        settings.phone.authorityFile = certificates.authorityFile
        settings.phone.trustsMachine = false
        // Each animal has its own patience for a request; all of them together have no end here.
        settings.slowAfter = .seconds(60)
        settings.deadline = .seconds(300)
        settings.phone.resolver = Resolver(overrides: [
            Resolver.Override(
                host: ZooCertificates.host, port: 443,
                address: .v4(0x7F00_0001, port: server.port))
        ])
        animal.settings(&settings)
        let cdn = try animal.cdn.map { try FaultServer(tls: nil, answer: $0) }
        if let cdn {
            settings.phone.cdn = .server(host: "127.0.0.1", port: cdn.port, isTLS: false, base: "")
        }
        let client = try HTTPClient(resolver: settings.phone.resolver)
        var prober = HostProber(
            host: ZooCertificates.host, port: 443, settings: settings, client: client,
            progress: { _ in })
        let report = CheckReport(prober.run(), settings)
        withExtendedLifetime((server, cdn)) {}
        return report
    }
}
