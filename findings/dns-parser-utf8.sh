#!/usr/bin/env bash
# librust-dns-parser-dev 0.8.0-2 (Debian): a name with a letter outside ASCII makes the whole packet an error.
#
# Expected: RFC 6763, section 4.1.1: the instance of a service is text in UTF-8, and RFC 6762, section 16: names of
# multicast DNS are UTF-8. The crate's documentation names multicast DNS, and it reads the unicast-response bit.
# Seen: one service called "Cafe" with an accent hides all the others of the packet. A blank is read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq rustc=1.63.0+dfsg1-2 libstd-rust-1.63=1.63.0+dfsg1-2 libstd-rust-dev=1.63.0+dfsg1-2 \
  libllvm14=1:14.0.6-12 librust-dns-parser-dev=0.8.0-2 librust-byteorder-dev=1.4.3-2 \
  librust-quick-error-dev=2.0.1-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

crates="$dir/usr/share/cargo/registry"
libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$libraries"
compile() { usr/bin/rustc --cap-lints allow -L . --crate-type rlib --crate-name "$@"; }
compile byteorder --edition 2018 --cfg 'feature="std"' "$crates/byteorder-1.4.3/src/lib.rs"
compile quick_error --edition 2018 "$crates/quick-error-2.0.1/src/lib.rs"
compile dns_parser --extern byteorder --extern quick_error "$crates/dns-parser-0.8.0/src/lib.rs"
cat >main.rs <<'RUST'
use dns_parser::Packet;
use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (title, digits) = line.split_once(": ").unwrap();
        let read = |place: usize| u8::from_str_radix(&digits[place..place + 2], 16).unwrap();
        let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(read).collect();
        match Packet::parse(&bytes) {
            Ok(packet) => println!("{}: {}", title, packet.questions[0].qname),
            Err(error) => println!("{}: {}", title, error),
        }
    }
}
RUST
usr/bin/rustc --edition 2018 -L . --extern dns_parser main.rs

seen=$(./main <<'PACKETS'
the question for the service Cafe: 0000000000010000000000000443616665055f67616d65045f746370056c6f63616c0000210001
the question for the service Den 1.2: 0000000000010000000000000744656e20312e32055f67616d65045f746370056c6f63616c0000210001
the question for the service Café: 00000000000100000000000005436166c3a9055f67616d65045f746370056c6f63616c0000210001
PACKETS
)
expected=$(cat <<'TEXT'
the question for the service Cafe: Cafe._game._tcp.local
the question for the service Den 1.2: Den 1.2._game._tcp.local
the question for the service Café: invalid characters encountered while reading label
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
