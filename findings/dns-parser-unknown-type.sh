#!/usr/bin/env bash
# librust-dns-parser-dev 0.8.0-2 (Debian): a record type that it does not know makes the whole packet an error.
#
# Expected: RFC 3597, section 3: a type that is not known is treated as data without structure. Browsers ask for the
# type HTTPS (65, RFC 9460), in multicast DNS too; dns-packet 5.6.1 reads it as UNKNOWN_65.
# Seen: a responder made with it can not answer the other questions of the packet.
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
the question for the type A: 0000000000010000000000000364656e056c6f63616c0000010001
the question for the type NSEC: 0000000000010000000000000364656e056c6f63616c00002f0001
the question for the type HTTPS: 0000000000010000000000000364656e056c6f63616c0000410001
the question for the type CAA: 0000000000010000000000000364656e056c6f63616c0001010001
PACKETS
)
expected=$(cat <<'TEXT'
the question for the type A: den.local
the question for the type NSEC: query type 47 is invalid
the question for the type HTTPS: query type 65 is invalid
the question for the type CAA: query type 257 is invalid
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
