"""Which generation of the sitemap is served when: a matter of time alone."""

from typing import Final

from fingerpost.values import dataclass

# How far apart the clocks of two instances may be (seconds).
_SKEW: Final = 1.0


@dataclass(frozen=True, slots=True)
class Generation:
    """One complete set. It describes the moment `computed` and is served from `begins` on, both in seconds
    since the epoch; computing it `took` seconds. `children` is 0 where one urlset holds everything, `entries`
    where there is nothing to list."""

    id: str
    computed: float
    begins: float
    took: float
    children: int
    entries: int

    def has(self, number: int) -> bool:
        """Whether it has the document: 0 is /sitemap.xml, N is /sitemap-N.xml."""
        return number <= self.children if number else self.entries > 0


@dataclass(frozen=True, slots=True)
class Line:
    """The generations that can still be asked for, in the order in which they are served. Each is good for
    `seconds` from the moment it describes."""

    seconds: float
    generations: tuple[Generation, ...] = ()

    @property
    def latest(self) -> Generation | None:
        return self.generations[-1] if self.generations else None

    def current(self, now: float) -> Generation | None:
        """The generation to serve at `now`; None where there is none that is still good."""
        good = [each for each in self.generations if now - each.computed < self.seconds]
        begun = [each for each in good if each.begins <= now]
        # None has begun: the clock that made the newest is a little ahead of ours.
        begun = begun or [each for each in good if each.begins <= now + _SKEW]
        return begun[-1] if begun else None

    def holding(self, number: int, now: float) -> Generation | None:
        """The last generation up to `now` that has document `number`, where some cache may still hold its
        index: one cache behind another keeps it for twice its time at most."""
        named = (each for each in reversed(self.generations) if now - each.computed < 2 * self.seconds)
        return next((each for each in named if each.begins <= now and each.has(number)), None)

    def next_begins(self, now: float) -> float:
        """When a generation computed at `now` is to be served: once the latest is no longer good."""
        return max([now, *(each.computed + self.seconds for each in self.generations)])

    def left(self, generation: Generation, now: float) -> int:
        """For how many whole seconds from `now` a generation is good."""
        return int(min(max(0.0, self.seconds - (now - generation.computed)), self.seconds))

    def followed_by(self, generation: Generation) -> "Line":
        """The line with another generation, without those that nobody can ask for by then."""
        oldest = generation.computed - 2 * self.seconds
        kept = (each for each in self.generations if each.computed > oldest)
        return Line(self.seconds, (*kept, generation))
