import ArgumentParser

/// `aasa fleet`: one site on many machines, kept in etcd.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Bring one site to many machines by etcd, and see what they serve.",
        discussion: """
            A fleet has a name, revisions (everything that was ever published, immutable) and \
            channels (canary, stable) that each point to one revision. aasa fleet publish makes a \
            revision and moves a channel; machines that run aasa serve --fleet NAME --channel NAME \
            follow it, check every byte, lint it by their own rules, and swap it in whole. What \
            they refuse changes nothing. Without etcd they serve on, and start from their disk.

            --fleet and --etcd may come from the environment: AASA_FLEET, AASA_ETCD.

            deploy/fleet/README.md has the whole way: etcd's roles, keys, a pipeline, restores.
            """,
        subcommands: [
            FleetPublish.self, FleetStatus.self, FleetHistory.self, FleetDiff.self,
            FleetRollback.self, FleetPromote.self, FleetPrune.self, FleetVerify.self,
            FleetKey.self,
        ])
}
