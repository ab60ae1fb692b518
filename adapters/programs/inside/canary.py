"""A name server that knows no name and keeps what it was asked: whoever looks a host up is seen.

It is the only one that the room's `resolv.conf` names, so no look-up gets past it.
"""

from __future__ import annotations

import contextlib
import socket
import threading

from dnslib import RCODE, DNSError, DNSRecord

PORT = 53


class Canary:
    """Answers every question on loopback with "no such name"; `names` are those that were asked for."""

    def __init__(self, address: str = "127.0.0.1", port: int = PORT) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((address, port))
        self.port = self._socket.getsockname()[1]
        self._lock = threading.Lock()
        self._names: list[str] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def taken(self) -> list[str]:
        """The names asked for since the last time, each once, in the order of their first look-ups."""
        with self._lock:
            names, self._names = list(dict.fromkeys(self._names)), []
        return names

    def _serve(self) -> None:
        while True:
            try:
                packet, sender = self._socket.recvfrom(4096)
            except OSError:
                return  # closed
            with contextlib.suppress(DNSError):  # not a question: nobody is waiting for an answer
                self._answer(packet, sender)

    def _answer(self, packet: bytes, sender: tuple[str, int]) -> None:
        asked = DNSRecord.parse(packet)
        with self._lock:
            self._names += [str(question.qname).rstrip(".").lower() for question in asked.questions]
        reply = asked.reply()
        reply.header.rcode = RCODE.NXDOMAIN
        self._socket.sendto(reply.pack(), sender)

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()
