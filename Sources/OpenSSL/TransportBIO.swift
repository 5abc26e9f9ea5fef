internal import COpenSSL

// The C callbacks of the transport's BIO. They only move bytes.
//
// All sessions of a thread share one BIO. OpenSSL stores nothing about a session in it: retry flags
// are set and read within one call, and its `prev_bio` link, which the handshake's buffering filter
// sets, is never followed (BIO_pop is only called on the filter).

private let retryFlags = Int32(COpenSSL_BIO_RETRY)

/// Created once per process; a BIO method is never freed, as BIOs may outlive everything else.
nonisolated(unsafe) let transportMethod: OpaquePointer? = {
    guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "aasa transport")
    else { return nil }
    BIO_meth_set_create(method) { bio in
        BIO_set_init(bio, 1)
        return 1
    }
    BIO_meth_set_destroy(method) { bio in
        if let state = transportState(bio) {
            state.pointee.free()
            state.deallocate()
            BIO_set_data(bio, nil)
        }
        return 1
    }
    BIO_meth_set_read_ex(method) { bio, target, limit, count in
        BIO_clear_flags(bio, retryFlags)
        guard let state = transportState(bio), let target, let count else { return 0 }
        count.pointee = state.pointee.take(into: target, atMost: limit)
        if count.pointee > 0 { return 1 }
        BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return 0
    }
    BIO_meth_set_write_ex(method) { bio, bytes, limit, count in
        BIO_clear_flags(bio, retryFlags)
        guard let state = transportState(bio), let bytes, let count else { return 0 }
        state.pointee.append(bytes, count: limit)
        count.pointee = limit
        return 1
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in
        command == BIO_CTRL_FLUSH ? 1 : 0
    }
    return method
}()

private func transportState(_ bio: OpaquePointer?) -> UnsafeMutablePointer<TransportState>? {
    BIO_get_data(bio)?.assumingMemoryBound(to: TransportState.self)
}
