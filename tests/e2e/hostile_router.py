"""A router that lies, for internet_test.py: it answers PCP with a flood of damaged answers, and UPnP as its
argument says:
  elsewhere  its description is on another host        endless   a description without end
  control    its service is on another host            bomb      entities that grow to gigabytes
Prints each thing that it is asked."""

import socket
import struct
import sys
import threading

MODE, OWN, OTHER = sys.argv[1], "192.168.1.1", "192.168.1.11"
TYPE = "urn:schemas-upnp-org:service:WANIPConnection:1"


def description(control):
    return f"""<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><serviceList><service>
<serviceType>{TYPE}</serviceType><controlURL>{control}</controlURL><eventSubURL>/e</eventSubURL>
<SCPDURL>/s</SCPDURL></service></serviceList></device></root>"""


BOMB = ('<?xml version="1.0"?><!DOCTYPE root [<!ENTITY a0 "x">' + "".join(
    f'<!ENTITY a{i + 1} "{f"&a{i};" * 16}">' for i in range(12)) + "]><root>&a12;</root>")


def say(what):
    print(what, flush=True)


def port_control():
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind((OWN, 5351))
    while True:
        request, guest = link.recvfrom(2000)
        say(f"asked {request[:2].hex()}")
        answer = bytes([request[0], request[1] | 0x80]) + request[2:]
        damaged = [b"", b"\0", answer[:20], answer + b"\xff" * 20000, b"\xff" * 1100, b"\1\x81\0\0" * 6,
                   answer[:24] + b"forged nonce" + answer[36:], answer[:8] + struct.pack("!I", 1) + answer[12:],
                   answer[:40] + struct.pack("!HH", 7654, 0) + answer[44:]]
        for _ in range(200):
            for one in damaged:
                try:
                    link.sendto(one, guest)
                except OSError:
                    pass


def search():
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind(("", 1900))
    group = socket.inet_aton("239.255.255.250") + socket.inet_aton(OWN)
    link.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    where = f"http://{OTHER}:80/" if MODE == "elsewhere" else f"http://{OWN}:5000/"
    while True:
        _, guest = link.recvfrom(2000)
        say("searched")
        for kind in ("urn:schemas-upnp-org:device:InternetGatewayDevice:1", TYPE):
            link.sendto(f"HTTP/1.1 200 OK\r\nST: {kind}\r\nUSN: uuid:1\r\nLOCATION: {where}\r\n\r\n".encode(), guest)


def serve(link):
    say("visited")
    with link:
        link.recv(4000)
        body = BOMB if MODE == "bomb" else description(f"http://{OTHER}:80/ctl")
        length = "" if MODE == "endless" else f"Content-Length: {len(body)}\r\n"
        link.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n{length}\r\n{body}".encode())
        try:
            while MODE == "endless":
                link.sendall(b"<a>" * 20000)
        except OSError:
            say("hung up")


def describe():
    listener = socket.create_server((OWN, 5000))
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


for target in (port_control, search, describe):
    threading.Thread(target=target, daemon=True).start()
say("ready")
sys.stdin.read()
