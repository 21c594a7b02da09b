"""The errors that the web turns into answers: what can't be had now, and what was set wrong."""


class Unavailable(Exception):
    """Something the answer needs can't be had now; the client gets 503 and comes back. The message is for the log."""


class ConfigurationUnavailable(Unavailable):
    """The site's configuration is missing or broken, and no good one was ever seen."""


class SettingError(Exception):
    """An environment setting is wrong; says its name, what was expected and what was found."""
