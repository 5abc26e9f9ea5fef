import ArgumentParser

/// `aasa fleet`: one site on many machines, kept in etcd.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Distribute one site to many machines with etcd, and monitor them.",
        discussion: """
            A fleet has a name, immutable revisions, and channels (canary, stable) that each point to one \
            revision. aasa fleet publish stores a revision and moves a channel. Machines that run aasa \
            serve --fleet NAME follow a channel, check every byte, lint it, and replace their site whole. \
            A machine that refuses a revision keeps the one it has. Without etcd, all keep their last one.

            --fleet and --etcd may come from the environment: AASA_FLEET, AASA_ETCD.
            deploy/fleet/README.md describes etcd's roles, keys, pipelines and restores.
            """,
        subcommands: [
            FleetPublish.self, FleetStatus.self, FleetHistory.self, FleetDiff.self,
            FleetRollback.self, FleetPromote.self, FleetPrune.self, FleetVerify.self,
            FleetKey.self,
        ])
}
