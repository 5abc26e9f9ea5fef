import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CMSReportTests {
    private func find(
        _ report: inout CMSReport, _ check: CMSReport.Check, isError: Bool
    ) {
        report.find(isError ? .truncated : .endsSoon, check, "what", remedy: "how")
    }

    @Test func `A question that was not reached is open`() {
        let report = CMSReport()
        for check in CMSReport.Check.allCases {
            expectEqual(report.verdict(check), .unknown("not reached"))
        }
        #expect(!report.isGood)
    }

    @Test func `The last answer counts, and findings count more`() {
        var report = CMSReport()
        report.answer(.chain, .unknown("why"))
        expectEqual(report.verdict(.chain), .unknown("why"))
        report.answer(.chain, .good)
        expectEqual(report.verdict(.chain), .good)
        find(&report, .chain, isError: false)
        expectEqual(report.verdict(.chain), .doubtful)
        find(&report, .chain, isError: true)
        expectEqual(report.verdict(.chain), .bad)
        find(&report, .chain, isError: false)
        report.answer(.chain, .good)
        expectEqual(report.verdict(.chain), .bad)
        expectEqual(report.verdict(.dates), .unknown("not reached"), "each by itself")
    }

    @Test func `A file is good where its signature is and nothing is wrong`() {
        var report = CMSReport()
        report.answer(.signature, .good)
        #expect(report.isGood)
        find(&report, .dates, isError: false)
        #expect(report.isGood, "something to mend")
        find(&report, .payload, isError: true)
        #expect(!report.isGood)
        var open = CMSReport()
        for check in CMSReport.Check.allCases where check != .signature {
            open.answer(check, .good)
        }
        open.answer(.signature, .unknown("no digest"))
        #expect(!open.isGood, "nobody knows")
    }

    @Test func `Findings are kept in their order, as they were told`() {
        var report = CMSReport()
        report.find(.pem, .encoding, "a", remedy: "b")
        report.find(.endsSoon, .dates, "c", remedy: "d")
        expectEqual(report.findings.map(\.code), [.pem, .endsSoon])
        expectEqual(report.findings.map(\.isError), [true, false])
        expectEqual(report.findings.map(\.message), ["a", "c"])
        expectEqual(report.findings.map(\.remedy), ["b", "d"])
    }

    /// They stand in reports of machines and in the manual.
    @Test func `Names are small words with hyphens`() {
        let names =
            CMSFindingCode.allCases.map(\.rawValue) + CMSReport.Check.allCases.map(\.rawValue)
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        for name in names { #expect(!name.isEmpty && allowed.isSuperset(of: name)) }
    }
}
