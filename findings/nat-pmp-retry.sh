#!/usr/bin/env bash
# nat-pmp 1.0.0 (npm): a request whose answer is lost is never sent again, and the callback is never called.
#
# Expected: RFC 6886, section 3.1: the client repeats the request after 250 ms, then after twice the time, up to nine
# times; then it concludes that the gateway does not support NAT-PMP. natpmpc 20150609 repeats it.
# Seen: one request, and neither an answer nor an error, so one lost datagram stops the queue of requests.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  nat-pmp@1.0.0
cd "$dir"
apt-get download -qq natpmpc=20150609-7.1+b2 libnatpmp1=20150609-7.1+b2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu) node - <<'JS'
const dgram = require('dgram');
const { spawn } = require('child_process');
const { connect } = require('nat-pmp');

// A gateway that does not hear the first request.
function gateway(use) {
  return new Promise((done) => {
    const socket = dgram.createSocket('udp4');
    let requests = 0;
    socket.on('message', (message, sender) => {
      requests += 1;
      if (requests === 1) return;
      const answer = Buffer.from('00800000000000010a000001', 'hex');
      socket.send(answer, sender.port, sender.address);
    });
    socket.bind(5351, '127.0.0.1', () => use(socket, () => {
      socket.close();
      done(requests > 1 ? 'more than one request' : `${requests} request`);
    }));
  });
}

(async () => {
  console.log('natpmpc:', await gateway((socket, end) => {
    spawn('usr/bin/natpmpc', ['-g', '127.0.0.1']).on('exit', end);
  }));
  let answer = 'no answer';
  console.log('nat-pmp:', await gateway((socket, end) => {
    const client = connect('127.0.0.1');
    client.externalIp((error) => { answer = error ? error.message : 'an answer'; });
    setTimeout(() => { client.close(); end(); }, 5000);
  }), 'in five seconds,', answer);
})();
JS
)
expected=$(cat <<'TEXT'
natpmpc: more than one request
nat-pmp: 1 request in five seconds, no answer
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
