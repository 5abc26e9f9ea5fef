import AppSiteAssociation

extension CheckCatalog {
    static let addresses: [CodeEntry] = [
        CodeEntry(
            .addressUnresolved, .error, "The host's name has no address",
            why:
                "Nobody can ask a host without an address; Apple's CDN then publishes nothing for "
                + "it.",
            remedy: "Publish an A record (and AAAA, if IPv6 works) for exactly this name."),
        CodeEntry(
            .addressPrivate, .error, "The host's address is private or reserved",
            why:
                "Apple's CDN refuses such addresses (SWCERR00202), so no device from iOS 14 on "
                + "gets the "
                + "document.",
            remedy:
                "Publish a public address; for a test server use ?mode=developer in the "
                + "entitlement."
        ),
        CodeEntry(
            .addressRefused, .error, "The connection is refused",
            why: "Nothing listens on that address and port: devices count it as a failure.",
            remedy:
                "Start the server, let it listen on this address, and open the port in the "
                + "firewall."
        ),
        CodeEntry(
            .addressUnreachable, .error, "The address cannot be reached",
            why: "No route leads there: devices count it as a failure.",
            remedy: "Correct the address record, or the routing behind it."),
        CodeEntry(
            .addressTimeout, .error, "The address does not answer",
            why:
                "A firewall that drops packets costs every asker its whole patience; Apple's CDN "
                + "reports "
                + "SWCERR00301.",
            remedy: "Allow the port from every network: Apple does not publish where it asks "
                + "from."),
        CodeEntry(
            .addressIPv6Broken, .error, "The AAAA record leads nowhere, IPv4 works",
            why: "Askers that prefer IPv6 fail or wait; people with IPv4 never notice.",
            remedy: "Make the server listen on IPv6, or withdraw the AAAA record."),
        CodeEntry(
            .addressIPv4Broken, .error, "The A record leads nowhere, IPv6 works",
            why: "Most networks still ask over IPv4.",
            remedy: "Make the server listen on IPv4, or correct the A record."),
        CodeEntry(
            .addressSomeBroken, .error, "One of several addresses leads nowhere",
            why: "Askers that get this address first wait or fail; others never notice.",
            remedy: "Make the server listen on this address, or withdraw its record."),
        CodeEntry(
            .addressNotChecked, .note, "This machine has no route to an address",
            why: "Nothing was sent to it, so nothing is known of it: the host may be good there.",
            remedy: "Check the host from a machine with IPv4 and IPv6 as well."),
        CodeEntry(
            .addressNoRoute, .error, "The host could not be checked: this machine has no route",
            why: "None of the host's addresses could be asked, so nothing is known of it.",
            remedy:
                "Give this machine a route to the host's addresses, or check the host from "
                + "another one."),
        CodeEntry(
            .addressUnasked, .warning, "The host has more addresses than one check asks",
            why:
                "\(CheckSettings.addressMaximum) are asked, some of each family; a dead one among "
                + "the others is not found.",
            remedy: "Name the others with --resolve HOST:PORT:ADDR in a check of their own."),
    ]

    static let tls: [CodeEntry] = [
        CodeEntry(
            .tlsNotTLS, .error, "The port does not speak TLS",
            why: "The document is fetched over https only.",
            remedy: "Serve TLS on this port; plain HTTP belongs on port 80."),
        CodeEntry(
            .tlsHandshake, .error, "The TLS handshake fails",
            why: "Without a handshake there is no answer; the association fails.",
            remedy:
                "Offer TLS 1.2 and 1.3 with the usual suites (Mozilla's \"intermediate\"), and a "
                + "certificate for this name."),
        CodeEntry(
            .tlsCut, .error, "The connection ends during the TLS handshake",
            why: "A proxy or firewall that cuts handshakes looks to devices like a dead host.",
            remedy:
                "Look at the TLS terminator's log for this moment; often it has no certificate for "
                + "the name."),
        CodeEntry(
            .tlsTimeout, .error, "The TLS handshake does not get on",
            why:
                "The port accepts connections, but nobody speaks TLS behind it: every asker waits "
                + "in vain.",
            remedy: "See whether the TLS terminator runs and is not overloaded."),
        CodeEntry(
            .tlsOldVersion, .error, "Only TLS 1.0 or 1.1 is offered",
            why: "Apple's systems demand TLS 1.2 (App Transport Security).",
            remedy: "Enable TLS 1.2 and 1.3."),
        CodeEntry(
            .tlsClientCertificate, .error, "The server demands a client certificate",
            why: "Neither devices nor Apple's CDN have one.",
            remedy: "Do not ask for client certificates on this host, or not for this path."),
        CodeEntry(
            .tlsExpired, .error, "The certificate has expired",
            why: "Devices refuse the connection; Apple's CDN too.",
            remedy: "Renew the certificate and make the server load it."),
        CodeEntry(
            .tlsNotYetValid, .error, "The certificate is not valid yet",
            why: "Devices refuse the connection until it is.",
            remedy:
                "Check the clocks of the server and of this machine, and the certificate's dates."),
        CodeEntry(
            .tlsEndsSoon, .warning, "The certificate ends soon",
            why: "Once it has ended, all associations that are looked at again are lost.",
            remedy: "See why it was not renewed at two thirds of its life."),
        CodeEntry(
            .tlsName, .error, "The certificate is for another host",
            why: "Devices refuse a certificate that does not name the host they asked for.",
            remedy: "Get a certificate that names exactly this host, and select it by SNI."),
        CodeEntry(
            .tlsSelfSigned, .error, "The certificate is self-signed",
            why:
                "Devices trust public authorities only; a root that a user installed counts in "
                + "developer "
                + "mode alone.",
            remedy: "Use a certificate of a public authority, such as Let's Encrypt."),
        CodeEntry(
            .tlsChainIncomplete, .error, "The server does not send the intermediate certificate",
            why:
                "Browsers fetch or remember it, so the site looks fine there; Apple's crawler and "
                + "other "
                + "clients cannot build the chain.",
            remedy: "Serve the full chain: the certificate followed by its intermediates (certbot: "
                + "fullchain.pem, not cert.pem)."),
        CodeEntry(
            .tlsUntrusted, .error, "The certificate's authority is not trusted",
            why: "Devices trust the roots of the system alone.",
            remedy:
                "Use a certificate of a public authority; for a private one in tests, name it with "
                + "--cacert."),
        CodeEntry(
            .tlsPurpose, .error, "The certificate is not for servers",
            why:
                "A certificate for other uses is refused; since iOS 13 also one that names none, if "
                + "it was issued since July 2019 (support.apple.com/103769).",
            remedy: "Get a certificate for TLS servers: with serverAuth in its extendedKeyUsage."),
        CodeEntry(
            .tlsWeakKey, .error, "The key of the certificate, or of its issuer, is too weak",
            why:
                "Apple's systems refuse RSA keys below 2048 bits, in server certificates and in "
                + "issuing authorities (support.apple.com/103769).",
            remedy:
                "Make a key of ECDSA P-256, or RSA of 2048 bits or more. If the issuer is named, get "
                + "a certificate from another intermediate."),
        CodeEntry(
            .tlsOldDigest, .error, "The certificate is signed with SHA-1 or older",
            why:
                "Apple's systems demand SHA-2 since iOS 13, of private authorities as well "
                + "(support.apple.com/103769).",
            remedy:
                "Have the certificate issued anew with SHA-256; if an intermediate is named, send "
                + "the authority's current one."),
        CodeEntry(
            .tlsLongLife, .error, "The certificate is valid for more than 825 days",
            why:
                "Apple's systems refuse that since iOS 13 in what was issued since July 2019, of "
                + "private authorities as well (support.apple.com/103769).",
            remedy: "Issue it for 825 days or fewer; 90 and a renewal by itself are usual."),
        CodeEntry(
            .tlsInvalid, .error, "The certificate is not accepted",
            why: "Devices refuse what their own check refuses.",
            remedy: "Replace the certificate and its chain."),
        CodeEntry(
            .tlsSecondCertificate, .error, "One of the host's two certificates is wrong",
            why:
                "The server has an ECDSA and an RSA certificate; clients that get the wrong one "
                + "fail, and "
                + "only they.",
            remedy: "Renew both certificates together, and load both with their chains."),
        CodeEntry(
            .tlsNeedsServerName, .note,
            "Without a server name (SNI) the right certificate does not come",
            why: "Devices and Apple's CDN send SNI; only old validators and monitors do not.",
            remedy: "If they matter, make this host the default of the address."),
        CodeEntry(
            .tlsNo12, .note, "TLS 1.2 is not offered",
            why: "iOS before 12.2 speaks nothing newer.",
            remedy: "Offer TLS 1.2 beside 1.3."),
        CodeEntry(
            .tlsNo13, .note, "TLS 1.3 is not offered",
            why: "It works; TLS 1.3 saves a round trip of every asker.",
            remedy: "Enable TLS 1.3."),
        CodeEntry(
            .tlsLongHello, .warning, "A ClientHello of two TCP segments is not accepted",
            why:
                "iOS 26 and macOS 26 send X25519MLKEM768, so their ClientHello has about 1.5 KB "
                + "(support.apple.com/122756). Some load balancers and firewalls read only the "
                + "first segment.",
            remedy:
                "Update the TLS terminator, and every firewall or load balancer in front of it that "
                + "reads the server name."),
    ]
}
