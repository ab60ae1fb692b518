"""Text as it travels: its size, whether it can be sent at all, and the words of an exception."""


def byte_size(text: str) -> int:
    """Return the size of `text` in UTF-8 bytes; a lone surrogate counts as three."""
    return len(text.encode(errors="surrogatepass"))


def sendable(text: str) -> str:
    r"""Return `text` with each lone surrogate written out, as in ``\ud800``.

    UTF-8 has no bytes for those, so a request that held one could not be sent. Any other text
    comes back unchanged.
    """
    return text.encode(errors="backslashreplace").decode()


def clipped(text: str, max_bytes: int) -> str:
    """Return the longest start of `text` that takes at most `max_bytes` UTF-8 bytes.

    For sentences, never for the contents of files: it may end anywhere between two characters.
    `text` must be sendable.
    """
    return text.encode()[:max_bytes].decode(errors="ignore")


def reason(error: Exception) -> str:
    """Return what `error` says, as sendable text that is never blank.

    That is its own text and nothing else, if it has one that can be read and sent. Otherwise the
    type is named, before whatever there is of the text.
    """
    kind = type(error).__name__
    try:
        said = str(error)
    except Exception:  # whatever its __str__ may raise
        return f"{kind}, whose text cannot be read"
    shown = sendable(said)
    return shown if shown == said and said.strip() else f"{kind}: {shown}"
