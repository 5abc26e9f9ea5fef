import AASAClient
import ACME
import OpenSSL
import Reactor

/// Reports published challenges and issued certificates: watches both keys on its own thread. A
/// watch that ends is reopened, which counts as a change.
final class EtcdChanges: StoreWatch {
    /// A watch that is silent for this long is reopened: it may have died.
    private static let silenceMaximum: Duration = .seconds(600)

    private let changed: Wakeup
    private let thread: StoppableThreads

    init(_ access: EtcdAccess, root: String, seed: UInt64) throws(SystemError) {
        changed = try Wakeup()
        // `challenges.json` < `issued/…` < `issued0`, and the store has no other key in between.
        let request = EtcdRequest.watch(
            root + "challenges.json", end: EtcdRequest.end(ofPrefix: root + "issued/"), from: nil)
        thread = try Self.start(access, request, seed, changed)
    }

    private static func start(
        _ access: EtcdAccess, _ request: EtcdRequest, _ seed: UInt64, _ changed: Wakeup
    ) throws(SystemError) -> StoppableThreads {
        let thread = try StoppableThreads()
        let stop = thread.wakeup
        try thread.start(name: "aasa-fleet-acme") {
            run(access, request, seed, changed, stop: stop)
        }
        return thread
    }

    private static func run(
        _ access: EtcdAccess, _ request: EtcdRequest, _ seed: UInt64, _ changed: Wakeup,
        stop: Wakeup
    ) {
        guard let client = try? EtcdClient(access, seed: seed, stop: stop) else { return }
        var ring = MemberRing(count: access.members.count, seed: seed)
        while true {
            let end = follow(client, request, &ring, changed)
            if end == .stopped { return }
            if case .unauthenticated = end { client.forgetToken() }
            ring.failed(now: .now())
            let pause = ring.pauseEnds ?? .now()
            if Waiting.wait([.init(stop.descriptor)], until: pause)[0] { return }
        }
    }

    deinit { thread.stop() }

    var descriptor: Int32 { changed.descriptor }

    func drain() -> Bool {
        changed.drain()
        return true
    }

    /// - Returns: why it ended.
    private static func follow(
        _ client: EtcdClient, _ request: EtcdRequest, _ ring: inout MemberRing, _ changed: Wakeup
    ) -> EtcdFailure {
        do throws(EtcdFailure) {
            let stream = try client.open(request, member: ring.current)
            var reader = WatchReader()
            do throws(ClientFailure) {
                while let bytes = try stream.next(within: silenceMaximum) {
                    for message in reader.receive(bytes) {
                        switch message {
                        case .progress: break
                        case .created:
                            ring.succeeded()
                            changed.signal()
                        case .changed, .compacted: changed.signal()
                        case .ended(let failure): return failure
                        }
                    }
                }
            } catch {
                return error == .stopped ? .stopped : .unanswered(error)
            }
            return .unavailable("etcd ended the watch")
        } catch {
            return error
        }
    }
}
