"""How fast a polite crawler asks: a steady rate, slower where the site wishes it."""

import time
from collections.abc import Callable


class Pace:
    """Keeps requests at least `seconds` apart."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._sleep = sleep
        self._next = clock()

    def wait(self) -> None:
        """Return when the next request may start."""
        now = self._clock()
        if self._next > now:
            self._sleep(self._next - now)
            now = self._next
        self._next = now + self.seconds

    def slow_to(self, seconds: float) -> None:
        """Keep at least this long between requests from now on; never faster than before."""
        self._next += max(0.0, seconds - self.seconds)
        self.seconds = max(self.seconds, seconds)

    def rest(self, seconds: float) -> None:
        """Ask nothing for this long."""
        self._next = max(self._next, self._clock() + seconds)
