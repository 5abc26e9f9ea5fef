import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct FleetStoreTests: PublisherSuite {
    private let etcd = FakeEtcd()
    private let keys = FleetKeys(fleet: "web")

    private func hash(_ bytes: [UInt8]) -> String { hexadecimal(sha256(bytes)) }

    @Test func theStateIsReadAtOneMoment() throws {
        let empty = try etcd.store().state(channel: "stable")
        #expect(empty.head?.last == 0 && empty.pointer == nil)
        #expect(empty.headChanged == 0 && empty.pointerChanged == 0)
        let id = try publish(etcd, one)
        let before = etcd.requests
        let state = try etcd.store().state(channel: "stable")
        expectEqual(etcd.requests, before + 1)
        #expect(state.pointer?.revision == id && state.head?.last == 1)
        expectEqual(state.headChanged, etcd.keys[keys.head]?.changed)
        expectEqual(state.pointerChanged, etcd.keys[keys.channel("stable")]?.changed)
    }

    @Test func aReplyWithoutItsReadsIsRefused() {
        let store = FleetStore(keys: keys) { _ in Array(#"{"header":{"revision":"1"}}"#.utf8) }
        #expect(throws: FleetError.self) { try store.state(channel: "stable") }
        #expect(throws: FleetError.self) {
            try store.read([RevisionFile(path: "", hash: "a", size: 1)], "place") { _, _ in }
        }
    }

    /// The store's reason stays with the action that met it.
    @Test func aFailureNamesWhatWasDone() {
        etcd.before = { _ throws(EtcdFailure) in throw .denied("no") }
        do {
            _ = try etcd.store().state(channel: "canary")
            Issue.record("read")
        } catch {
            expectEqual(error.store, .denied("no"))
            expectEqual(error.problem.place, "reading channel canary")
        }
    }

    /// More than a page: all of it, in order, each once; a neighbour's keys are not.
    @Test func everythingBelowAPrefixIsRead() throws {
        for index in 0..<450 { etcd.set(keys.revision(Int64(index)), [UInt8(index % 256)]) }
        etcd.set("/aasa/web/revisions0", [1])
        etcd.set("/aasa/web/revision", [1])
        let before = etcd.requests
        let entries = try etcd.store().entries(below: keys.revisions)
        expectEqual(entries.map(\.key), (0..<450).map { keys.revision($0) })
        expectEqual(entries[300].value, [UInt8(300 % 256)])
        expectEqual(etcd.requests - before, 3)
        let names = try etcd.store().entries(below: keys.revisions, keysOnly: true)
        #expect(names.count == 450 && names.allSatisfy { $0.value.isEmpty })
    }

    // MARK: Records and lists

    @Test func aRecordIsTheOneThatAnIdentityNames() throws {
        let id = try publish(etcd, one)
        try expectEqual(etcd.store().record(id).id, id)
        #expect(throws: FleetError.self) {
            try etcd.store().record(RevisionID(number: 1, hash: String(repeating: "0", count: 64)))
        }
        #expect(throws: FleetError.self) {
            try etcd.store().record(RevisionID(number: 2, hash: id.hash))
        }
        let found = try etcd.store().record(number: 1)
        #expect(found.id == id && found.record.id == id)
        do {
            _ = try etcd.store().record(number: 7)
            Issue.record("there is none")
        } catch {
            expectEqual(error.problem.cause, "this revision does not exist")
        }
    }

    @Test func aListWithTooManyPartsIsNotRead() throws {
        let record = try etcd.store().record(publish(etcd, one))
        var spoiled = record
        spoiled.parts = Array(repeating: record.parts[0], count: FileList.partsMaximum + 1)
        let before = etcd.requests
        #expect(throws: FleetError.self) { try etcd.store().list(of: spoiled) }
        expectEqual(etcd.requests, before)
        try expectEqual(etcd.store().list(of: record).files.map(\.path), one.map(\.path))
    }

    // MARK: Blobs

    private func read(_ files: [RevisionFile]) throws -> [Result<[UInt8], FleetError>] {
        var read: [Result<[UInt8], FleetError>] = []
        try etcd.store().read(files, "x") { read.append($1) }
        return read
    }

    private func cause(_ found: Result<[UInt8], FleetError>) -> String? {
        if case .failure(let error) = found { error.problem.cause } else { nil }
    }

    @Test func blobsAreCheckedOneByOne() throws {
        let (good, changed, gone): ([UInt8], [UInt8], [UInt8]) = ([1, 2], [3], [4])
        let store = etcd.store()
        try store.upload([good, changed].map { (hash($0), $0) })
        etcd.set(keys.blob(hash(changed)), [9, 9])
        let read = try read(
            [good, changed, gone].map { RevisionFile(path: "", hash: hash($0), size: $0.count) }
                + [RevisionFile(path: "", hash: hash(good), size: 3)])
        expectEqual(read.count, 4)
        try expectEqual(read[0].get(), good)
        expectEqual(cause(read[1])?.contains("was changed: 2 bytes"), true)
        expectEqual(cause(read[2])?.hasSuffix("is missing"), true)
        expectEqual(cause(read[3]), "2 bytes instead of 3")
    }

    @Test func manyBlobsGoInFewTransactions() throws {
        let blobs = (0..<130).map { index -> (hash: String, bytes: [UInt8]) in
            let bytes = [UInt8(index), 1]
            return (hash(bytes), bytes)
        }
        try etcd.store().upload(blobs)
        expectEqual(etcd.requests, 3)
        let read = try read(blobs.map { RevisionFile(path: "", hash: $0.hash, size: 2) })
        expectEqual(etcd.requests, 6)
        try expectEqual(read.map { try $0.get() }, blobs.map(\.bytes))
    }

    @Test func batchesHoldTheirBounds() {
        func sizes(_ sizes: [Int], _ maximum: Int) -> [[Int]] {
            FleetStore.batches(sizes, bytesMaximum: maximum) { $0 }
        }
        expectEqual(sizes([], 10), [])
        // Exactly full is not too much; one more byte is; what is too large stands alone.
        expectEqual(sizes([4, 6, 1], 10), [[4, 6], [1]])
        expectEqual(sizes([4, 7, 1], 10), [[4], [7, 1]])
        expectEqual(sizes([1, 20, 1, 1], 10), [[1], [20], [1, 1]])
        expectEqual(sizes(Array(repeating: 0, count: 65), 10).map(\.count), [64, 1])
    }

    /// A backup, or a hand, may leave it out.
    @Test func aMissingHeadIsThatOfTheRevisions() throws {
        for _ in 0..<3 { _ = try publish(etcd, one) }
        let last = try etcd.store().state(channel: "stable").head?.last
        etcd.remove(keys.head)
        try expectEqual(etcd.store().state(channel: "stable").head?.last, last)
    }
}
