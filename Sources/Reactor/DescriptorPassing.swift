import CLinux
import Glibc

/// Hands open descriptors to another process over a Unix socket (SCM_RIGHTS, unix(7)).
package enum DescriptorPassing {
    /// Most descriptors in one message.
    package static let countMaximum = 64

    package static func send(_ descriptors: [Int32], over socket: Int32) throws(SystemError) {
        _ = try Syscall.call("sendmsg") {
            CLinux_send_descriptors(socket, descriptors, Int32(descriptors.count))
        }
    }

    /// The descriptors of one message, owned by the caller and close-on-exec; empty when the peer
    /// has closed.
    package static func receive(over socket: Int32) throws(SystemError) -> [Int32] {
        var descriptors = [Int32](repeating: -1, count: countMaximum)
        let count = try Syscall.call("recvmsg") {
            CLinux_receive_descriptors(socket, &descriptors, Int32(countMaximum))
        }
        return Array(descriptors.prefix(Int(count)))
    }
}
