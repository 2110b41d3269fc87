"""How long to wait before a request is sent again."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable

BASE_SECONDS = 0.25
STEP_SECONDS_MAX = 8.0


def seconds_after(attempt: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """After the attempt of that number, from 1: as long as the service asked, and on top of it a random part of a bound
    that doubles (full jitter), so that callers who failed together do not come back together.
    """
    step = min(STEP_SECONDS_MAX, BASE_SECONDS * 2.0 ** min(attempt - 1, 16))
    return (retry_after or 0.0) + step * random()


def retry_after_of(text: str | None) -> float | None:
    """The seconds that a Retry-After header names, as a number or as a date; None for neither."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text.strip()):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
