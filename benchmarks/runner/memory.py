"""The largest resident memory of this process (Linux only)."""

import ctypes
from pathlib import Path


def peak_memory() -> int | None:
    """Bytes, since ``reset_peak``; None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(found[0].split()[1]) * 1024 if found else None


def reset_peak() -> None:
    """Give memory that was freed back to the system, and forget the peak of what came before."""
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):
        return
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")
