"""One connection: its prepared statements, and its failures as errors of ours."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from fingerpost.sources.columns import RelationMismatch
from fingerpost.sources.connect import NOT_THE_PROTOCOL
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.sources.sql import Query

_PREPARED_STATEMENTS = 100

# SQLSTATE (PostgreSQL, appendix A): undefined table, column and function (an operator for other types),
# datatype mismatch. The table is not what it was when its columns were read.
_MISMATCHES = frozenset({"42P01", "42703", "42883", "42804"})
_QUERY_CANCELED = "57014"
# Class 08, connection exceptions, and 57P, operator intervention: the server is shutting down or starting.
_SHUTDOWNS = ("08", "57P")


class DeadLink(RecordsUnavailable):
    """The connection broke, or the server is shutting down."""


class Link:
    """One connection with its prepared statements: each costs a round trip once, and then one per use.

    `sound` is False while an answer is outstanding and for good once the connection broke.
    """

    def __init__(self, connection: Any, statement_seconds: float) -> None:
        self._connection = connection
        self._statement_seconds = statement_seconds
        self._prepared: dict[str, Any] = {}
        self.sound = True

    def command(self, sql: str) -> None:
        """Run statements without values or answer."""
        self._exchange(lambda: self._connection.run(sql), "the transaction")

    def ask(self, query: Query, relation: str) -> str | None:
        """The one text value that a statement answers. `relation` names it in errors."""
        answer: str | None = self._exchange(
            lambda: self._statement(query.sql).run(**query.values)[0][0], f"public.{relation}"
        )
        return answer

    def close(self) -> None:
        from pg8000.exceptions import InterfaceError

        self.sound = False
        with suppress(InterfaceError, OSError):
            self._connection.close()

    def _statement(self, sql: str) -> Any:
        statement = self._prepared.get(sql)
        if statement is None:
            if len(self._prepared) >= _PREPARED_STATEMENTS:
                self._prepared.pop(next(iter(self._prepared))).close()
            statement = self._prepared[sql] = self._connection.prepare(sql)
        return statement

    def _exchange(self, action: Callable[[], Any], place: str) -> Any:
        from pg8000.exceptions import DatabaseError, InterfaceError

        self.sound = False
        try:
            answer = action()
        except DatabaseError as error:
            fields = error.args[0]
            self.sound = not _is_over(fields)
            raise self._failure(fields, place) from error
        except (InterfaceError, OSError, *NOT_THE_PROTOCOL) as error:
            # The driver calls each of them a network error. No error gets a name that outlives its clause:
            # the frame, which the error holds, would hold the error, and the two of them the socket.
            raise DeadLink(
                f"{place}: the connection to Postgres broke: {error.__cause__ or error}"
            ) from error
        self.sound = True
        return answer

    def _failure(self, fields: Mapping[str, str], place: str) -> RecordsUnavailable:
        """An ErrorResponse as an error of ours (PostgreSQL protocol: C is the SQLSTATE, M the message)."""
        code, said = fields.get("C", ""), fields.get("M", "")
        if code in _MISMATCHES:
            return RelationMismatch(f"{place}: {said} ({code})")
        if code == _QUERY_CANCELED:
            return RecordsUnavailable(
                f"{place}: expected an answer within {self._statement_seconds:g} s: {said}"
            )
        if _is_over(fields):
            return DeadLink(f"{place}: {said} ({code})")
        return RecordsUnavailable(f"{place}: {said} ({code})")


def _is_over(fields: Mapping[str, str]) -> bool:
    """Whether the server says with its error that it ends the connection."""
    return fields.get("C", "").startswith(_SHUTDOWNS)
