/// Many records as one sequence of bytes, which a process hands to its successor.
package enum StateArchive {
    /// 10,000 hosts of a usual size are 50 MB; a larger archive than this is an error.
    package static let bytesMaximum = 1 << 30

    package static func encode(_ records: [StateRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            let encoded = record.encoded()
            bytes += Array("\(encoded.count)\n".utf8)
            bytes += encoded
        }
        return bytes
    }

    /// The readable records, and what is wrong with the rest.
    package static func decode(_ bytes: [UInt8]) -> (records: [StateRecord], problems: [String]) {
        var records: [StateRecord] = []
        var problems: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.prefix(20).firstIndex(of: UInt8(ascii: "\n")),
                let count = Int(String(decoding: rest[rest.startIndex..<end], as: UTF8.self)),
                count >= 0, count <= rest.endIndex - end - 1
            else {
                problems.append(StateError.damaged.description)
                break
            }
            let start = end + 1
            do throws(StateError) {
                records.append(try StateRecord(decoding: Array(rest[start..<start + count])))
            } catch {
                problems.append(error.description)
            }
            rest = rest[(start + count)...]
        }
        return (records, problems)
    }
}
