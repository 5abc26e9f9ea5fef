// Covers: Pipe.swift
import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct InheritedDescriptorTests {
    private func socket(_ family: Int32, _ type: __socket_type) -> Int32 {
        Glibc.socket(family, Int32(type.rawValue), 0)
    }

    @Test func `What it is, is looked at`() throws {
        #expect(InheritedDescriptor(-1).status == nil)
        #expect(InheritedDescriptor(60_000).status == nil)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        expectEqual(InheritedDescriptor(file).status?.kind, .other)
        expectEqual(InheritedDescriptor(file).status?.isSocket, false)
        #expect(!InheritedDescriptor(file).isStream && !InheritedDescriptor(file).isListening)
        let pipe = try Pipe()
        expectEqual(InheritedDescriptor(pipe.reading.raw).status?.isFIFO, true)
    }

    @Test func `Of a socket it is told whether it can be served on`() {
        let datagrams = socket(AF_INET, SOCK_DGRAM)
        let stream = socket(AF_INET, SOCK_STREAM)
        let local = socket(AF_UNIX, SOCK_STREAM)
        defer { for descriptor in [datagrams, stream, local] { close(descriptor) } }
        for descriptor in [datagrams, stream, local] {
            expectEqual(InheritedDescriptor(descriptor).status?.isSocket, true)
            #expect(!InheritedDescriptor(descriptor).isListening)
        }
        #expect(!InheritedDescriptor(datagrams).isStream)
        #expect(InheritedDescriptor(stream).isStream && InheritedDescriptor(stream).isInternet)
        #expect(InheritedDescriptor(local).isStream && !InheritedDescriptor(local).isInternet)
        expectEqual(listen(stream, 1), 0)
        #expect(InheritedDescriptor(stream).isListening)
    }

    @Test func `A pipe says nothing yet, then what was written, then its end`() throws {
        var pipe = try Pipe()
        let reading = pipe.reading.raw
        for descriptor in [reading, pipe.writing.raw] {
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(Pipe.read(reading, limit: 10) == nil)
        let other = InheritedDescriptor(pipe.writing.release())
        other.write(Array("ready".utf8))
        expectEqual(Pipe.read(reading, limit: 3), Array("rea".utf8))
        expectEqual(Pipe.read(reading, limit: 10), Array("dy".utf8))
        other.close()
        expectEqual(Pipe.read(reading, limit: 10), [])
        pipe.reading.close()
    }
}
