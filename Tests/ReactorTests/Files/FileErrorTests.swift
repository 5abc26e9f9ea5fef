import Glibc
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
        #expect("\(FileError("reading", "/a/b", reason))" == "reading /a/b: \(words)")
    }

    /// What the kernel's error adds for calls of the network would mislead here.
    @Test func `An error of the kernel is its number alone`() {
        let error = SystemError(call: "open", number: EMFILE, subject: "other")
        #expect(FileError("reading", "/a", error) == FileError("reading", "/a", .system(EMFILE)))
        #expect("\(FileError("reading", "/a", error))" == "reading /a: Too many open files")
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
        #expect(holding(\.isMissing) == [ENOENT, ENOTDIR])
        #expect(holding(\.isDenied) == [EACCES, EPERM])
        #expect(holding(\.isFolder) == [EISDIR])
        #expect(holding(\.isLoop) == [ELOOP])
        #expect(holding(\.isOutOfDescriptors) == [EMFILE, ENFILE])
        #expect(holding(\.isOutOfSpace) == [ENOSPC, EDQUOT])
        #expect(holding(\.isReadOnly) == [EROFS])
    }
}
