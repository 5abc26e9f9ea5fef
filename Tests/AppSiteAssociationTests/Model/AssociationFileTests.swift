import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AssociationFileTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    @Test func readsEveryService() throws {
        let file = try read(
            #"""
            {"webcredentials": {"apps": ["A.w"], "x": 1}, "appclips": {"apps": ["A.c"]},
             "activitycontinuation": {"apps": ["A.h"]}, "authsrv": {"apps": []},
             "applinks": {"apps": [], "details": []}}
            """#)
        expectEqual(file.list(of: .webcredentials)?.apps.map(\.value), ["A.w"])
        expectEqual(file.list(of: .webcredentials)?.unknownMembers.map(\.key), ["x"])
        expectEqual(file.list(of: .appclips)?.apps.map(\.value), ["A.c"])
        expectEqual(file.list(of: .activitycontinuation)?.apps.map(\.value), ["A.h"])
        expectEqual(file.unknownServices.map(\.key), ["authsrv"])
        expectEqual(file.applinks?.detailsForm, .array)
        #expect(file.problems.isEmpty)
    }

    @Test func readsPublishedFiles() throws {
        var read = 0
        for url in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: [UInt8](try Data(contentsOf: url)))
            guard let file = try? AssociationFile(reading: source) else { continue }
            read += 1
            for problem in file.problems { #expect(problem.range != nil, "\(problem)") }
            for detail in file.applinks?.details ?? [] {
                for app in detail.appIDs {
                    #expect(source.text(in: app.range).contains(app.value.prefix(4)))
                }
            }
        }
        if Corpus.root != nil { #expect(read > 120) }
    }
}
