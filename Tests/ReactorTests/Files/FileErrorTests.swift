import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct FileErrorTests {
    @Test(arguments: [
        (FileError.Reason.system(ENOENT), "No such file or directory"),
        (.notRegular, "not a regular file"),
        (.tooLarge(size: 11, limit: 10), "11 bytes, and at most 10 are read"),
        (.tooManyEntries(limit: 4), "more than 4 entries"),
        (.outside("/etc"), "a link leads out of the folder, to /etc"),
    ])
    func `It says what was done, where, and why not`(reason: FileError.Reason, words: String) {
        expectEqual("\(FileError("reading", "/a/b", reason))", "reading /a/b: \(words)")
    }

    /// What the kernel's error adds for calls of the network would mislead here.
    @Test func `An error of the kernel is its number alone`() {
        let error = SystemError(call: "open", number: EMFILE, subject: "other")
        expectEqual(FileError("reading", "/a", error), FileError("reading", "/a", .system(EMFILE)))
        expectEqual("\(FileError("reading", "/a", error))", "reading /a: Too many open files")
    }

    @Test func `Kinds of errors are told apart`() {
        func holding(_ kind: KeyPath<FileError, Bool>) -> Set<Int32> {
            let other: [FileError.Reason] = [
                .notRegular, .tooLarge(size: 2, limit: 1), .tooManyEntries(limit: 1),
                .outside("/"),
            ]
            #expect(!other.contains { FileError("reading", "/a", $0)[keyPath: kind] })
            let numbers = (1...133 as ClosedRange<Int32>)
            return Set(
                numbers.filter { FileError("reading", "/a", .system($0))[keyPath: kind] })
        }
        expectEqual(holding(\.isMissing), [ENOENT, ENOTDIR])
        expectEqual(holding(\.isDenied), [EACCES, EPERM])
        expectEqual(holding(\.isFolder), [EISDIR])
        expectEqual(holding(\.isLoop), [ELOOP])
        expectEqual(holding(\.isOutOfDescriptors), [EMFILE, ENFILE])
        expectEqual(holding(\.isOutOfSpace), [ENOSPC, EDQUOT])
        expectEqual(holding(\.isReadOnly), [EROFS])
    }
}
