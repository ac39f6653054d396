"""The analytic models by name: what each answers, what it needs, what it assumes, and where it stops being valid.

The one table that ``drawdown`` and ``depletion`` read (`models.aquifer.drawdown_models`,
`models.aquifer.depletion_models`); a model is a row there and nothing else. Metres and days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.quantity import (
    CONDUCTANCE,
    CONDUCTIVITY,
    COORDINATE,
    DEPTH,
    DISTANCE,
    LEAKANCE,
    RATE,
    RATIO,
    RESISTANCE,
    STORATIVITY,
    THICKNESS,
    TIME,
    TRANSMISSIVITY,
    Kind,
)

Values = Mapping[str, float]
"""Parameter name -> value in metres and days."""


@dataclass(frozen=True)
class Parameter:
    """One flag: what it measures, and why 0 has no answer where it has none."""

    name: str
    kind: Kind
    meaning: str
    no_zero: str = ""


def _off(kind: Kind, name: str) -> Kind:
    return replace(kind, closed=True, name=name)


_WELL = "the drawdown in a line well has no limit; give the well's own radius"
_SIGNED = replace(DISTANCE, least=Decimal("-1e4"), most=Decimal("1e4"), name="drawdown")

PARAMETERS: dict[str, Parameter] = {
    one.name: one
    for one in (
        Parameter("T", TRANSMISSIVITY, "transmissivity"),
        Parameter("S", STORATIVITY, "storativity; specific yield where unconfined"),
        Parameter("Q", RATE, "pumping rate; below 0 returns water"),
        Parameter("r", _off(DISTANCE, "distance from the well"), "distance from the well", _WELL),
        Parameter("t", TIME, "time since pumping began; several with commas"),
        Parameter("d", _off(DISTANCE, "distance from well to stream or edge"), "distance from well to stream or edge",
                  "the models hold for a well beside the stream or edge, not in it"),
        Parameter("lam", CONDUCTANCE, "streambed conductance K' w / b'"),
        Parameter("x", COORDINATE, "place, from the stream or edge, above 0 on the well's side"),
        Parameter("y", COORDINATE, "place, along the stream or edge from the well"),
        Parameter("width", DISTANCE, "width of the aquifer between its edges"),
        Parameter("B", replace(DISTANCE, name="leakage factor"), "leakage factor sqrt(T c)"),
        Parameter("c", RESISTANCE, "resistance b'/K' of the leaky layer"),
        Parameter("b", THICKNESS, "saturated thickness"),
        Parameter("R", replace(DISTANCE, name="radius of unchanged head"), "radius where the head does not change"),
        Parameter("K", CONDUCTIVITY, "hydraulic conductivity"),
        Parameter("Kz", CONDUCTIVITY, "vertical hydraulic conductivity"),
        Parameter("kzkr", replace(RATIO, name="ratio Kz/Kr"), "vertical over horizontal conductivity"),
        Parameter("Sy", replace(STORATIVITY, name="specific yield"), "specific yield"),
        Parameter("top", DEPTH, "top of the pumped screen, below the top of the aquifer"),
        Parameter("bottom", DEPTH, "bottom of the pumped screen, below the top of the aquifer"),
        Parameter("z", DEPTH, "depth of the observed point, below the top of the aquifer"),
        Parameter("ztop", DEPTH, "top of the observation well's screen, below the top of the aquifer"),
        Parameter("zbottom", DEPTH, "bottom of it"),
        Parameter("rw", replace(DISTANCE, name="radius"), "radius of the screen, well or pit"),
        Parameter("rc", replace(DISTANCE, name="radius of the casing"), "radius of the casing where the level falls"),
        Parameter("s", _SIGNED, "drawdown: measured (jacob), of the confined model, or held in well, pit or ditch"),
        Parameter("L", replace(DEPTH, name="retardation"), "retardation K b'/K' of a bed that cuts the aquifer"),
        Parameter("leakance", LEAKANCE, "leakance K'/B' of the aquitard"),
        Parameter("sigma", replace(STORATIVITY, name="specific yield of the aquitard"),
                  "specific yield of the aquitard's water table"),
        Parameter("T1", replace(TRANSMISSIVITY, name="upper transmissivity"), "transmissivity of the upper aquifer"),
        Parameter("S1", replace(STORATIVITY, name="upper storativity"), "storativity of the upper aquifer"),
    )
}  # fmt: skip
"""Every flag of every model; one name means one thing."""


@dataclass(frozen=True)
class Model:
    """One row of the table.

    Parameters
    ----------
    name : as on the command line.
    title : solution, author and year.
    needs : parameters it must have; ``either`` pairs, of which one; ``may`` have; ``not_both``
        of a pair.
    answer : values and times since the start [d] -> drawdown [m], or share of the rate [-] (depletion).
    assumptions : printed with the answer.
    marks : values and times -> where it is outside its validity, in words.
    notes : values and times -> what else is worth knowing.
    volume : of a depletion, values and times -> share of the volume pumped so far [-].
    output : the parameter whose unit the answer takes.
    linear : the answer is proportional to Q, so that rates superpose.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    answer: Callable[[Values, Numbers], Numbers]
    assumptions: tuple[str, ...]
    either: tuple[tuple[str, str], ...] = ()
    may: tuple[str, ...] = ()
    not_both: tuple[tuple[str, str], ...] = ()
    marks: Callable[[Values, Numbers], list[str]] = lambda _values, _times: []
    notes: Callable[[Values, Numbers], list[str]] = lambda _values, _times: []
    volume: Callable[[Values, Numbers], Numbers] | None = None
    output: str = "r"
    linear: bool = True

    @property
    def steady(self) -> bool:
        """Time has no part in it."""
        return "t" not in self.needs

    @property
    def parameters(self) -> tuple[str, ...]:
        """Every parameter it takes."""
        return (*self.needs, *(name for pair in self.either for name in pair), *self.may)

    def check_flags(self, given: Iterable[str]) -> None:
        """Refuse a flag that is missing, superfluous, or one of two that say the same.

        Raises
        ------
        BadQuestion : names the flags.
        """
        names = set(given)
        if unused := [name for name in PARAMETERS if name in names and name not in self.parameters]:
            flags = [f"--{name}" for name in unused]
            reason = f"not a parameter of {self.name}"
            raise BadQuestion(reason, key=", ".join(flags), allowed=[f"--{name}" for name in self.parameters])
        missing = [f"--{name} ({PARAMETERS[name].meaning})" for name in self.needs if name not in names]
        missing += [f"--{one} or --{other}" for one, other in self.either if not names & {one, other}]
        if missing:
            raise BadQuestion(f"{self.name} needs {', '.join(missing)}")
        for pair in (*self.either, *self.not_both):
            if names >= set(pair):
                raise BadQuestion(f"give one of --{pair[0]} and --{pair[1]}", key=f"--{pair[1]}")


def named(name: str, models: Mapping[str, Model]) -> Model:
    """The model of a name.

    Raises
    ------
    BadQuestion : no such model; lists them.
    """
    if name not in models:
        raise BadQuestion("no such model", key="--model", found=name, allowed=models)
    return models[name]
