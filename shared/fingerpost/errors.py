"""The errors that the web turns into answers: what can't be had now, and what was set wrong."""


class Unavailable(Exception):  # noqa: N818 - a state of the world, as HTTP names it, more than a mistake
    """Something the answer needs can't be had now; the client gets 503. The message is for the log."""


class ConfigurationUnavailable(Unavailable):
    """The site's configuration is missing or broken, and no good one was ever seen."""


class SettingError(Exception):
    """An environment setting is wrong; says its name, what was expected and what was found."""
