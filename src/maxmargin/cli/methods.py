"""Estimators by name, and their parameters as they are typed."""

import ast
import difflib
import inspect
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import maxmargin
from maxmargin.cli.errors import UserError


@dataclass(frozen=True)
class Method:
    """An estimator with parameters of its own."""

    estimator: str
    parameters: dict[str, Any] = field(default_factory=dict)

    def make(self, **parameters: Any) -> Any:
        """The estimator; parameters that are given here override those of the method."""
        return self.type(**{**self.parameters, **parameters})

    @property
    def type(self) -> Any:
        """Its class."""
        return getattr(maxmargin, self.estimator)

    @property
    def takes(self) -> list[str]:
        """The names of its parameters."""
        return [name for name in inspect.signature(self.type).parameters if name != "self"]

    def default(self, name: str) -> Any:
        """The default of a parameter."""
        return inspect.signature(self.type).parameters[name].default

    @property
    def needs_number(self) -> bool:
        """Whether the number of clusters must be given."""
        return "n_clusters" in self.takes and self.estimator != "MaxMarginClustering"


#: Parameters that are objects with parameters of their own, and where their names are.
PARTS = {
    "search": ("maxmargin.search", "SEARCHES"),
    "optimizer": ("maxmargin.solvers", "OPTIMIZERS"),
    "solver": ("maxmargin.solvers", "ONE_CLASS_SOLVERS"),
    "assignment": ("maxmargin.domain", "ASSIGNMENTS"),
}
#: By the names of the estimators, and by those that the papers gave to their methods.
METHODS = {
    "auto": Method("MaxMarginClustering"),
    "rls": Method("RLSClustering"),
    "cutting-plane": Method("CuttingPlaneClustering"),
    "iterative-svr": Method("IterativeSVRClustering"),
    "multiple-kernel": Method("MultipleKernelClustering"),
    "sdp": Method("SDPClustering"),
    "support-vector": Method("SupportVectorClustering"),
    "umc-rls": Method("RLSClustering", {"search": "shaking"}),
    "steep-rls": Method("RLSClustering", {"search": "steepest"}),
    "stoc-rls": Method("RLSClustering", {"search": "stochastic"}),
    "evommc": Method("RLSClustering", {"search": "evolutionary"}),
    "fastevommc": Method("RLSClustering", {"search": "evolutionary", "approximation": "nystroem"}),
    "cpmmc": Method("CuttingPlaneClustering", {"optimizer": "cpmmc"}),
    "cpm3c": Method("CuttingPlaneClustering", {"optimizer": "cpm3c"}),
    "mkc": Method("MultipleKernelClustering", {"optimizer": "mkc", "norm": 2}),
    "itersvr": Method("IterativeSVRClustering"),
    "mmc": Method("SDPClustering", {"relaxation": "mmc"}),
    "gmmc": Method("SDPClustering", {"relaxation": "gmmc"}),
    "svc": Method("SupportVectorClustering", {"assignment": "equilibria"}),
    "sgd-lmsvc": Method("SupportVectorClustering", {"assignment": "equilibria", "solver": "sgd"}),
}


def method_named(name: str) -> Method:
    """The method of that name, or the estimator of that class name."""
    key = name.lower().replace("_", "-")
    for known, method in METHODS.items():
        if key in (known, method.estimator.lower()):
            return method
    names = ", ".join(METHODS)
    raise UserError(f"--method must be one of {names}; got {name!r}.{_similar(key, METHODS)}")


def read_settings(settings: tuple[str, ...], method: Method) -> dict[str, Any]:
    """Parameters as they are typed: ``alpha=0.1``, ``kernel=rbf``, ``proportions=[0.5, 0.5]``.

    Values are Python's literals, or else text.
    """
    found: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            raise UserError(f"--set must be NAME=VALUE, such as --set alpha=0.1; got {setting!r}.")
        part, _, inner = name.partition("__")
        if inner and part in PARTS and part in method.takes:
            given = found.get(part, method.parameters.get(part, method.default(part)))
            found[part] = _with_parameter(given, part, inner, _value(text.strip()))
            continue
        if name not in method.takes:
            raise UserError(
                f"--set {name}: {method.estimator} has no such parameter; it has "
                f"{', '.join(method.takes)}.{_similar(name, method.takes)}"
            )
        found[name] = _value(text.strip())
    return found


def _with_parameter(given: Any, part: str, name: str, value: Any) -> Any:
    """A part of an estimator, by name or as an object, with one of its parameters set."""
    module, table = PARTS[part]
    kinds = getattr(import_module(module), table)
    if isinstance(given, str) and given not in kinds:
        raise UserError(f"--set {part}__{name}: set {part} first, to one of {', '.join(kinds)}.")
    made = kinds[given]() if isinstance(given, str) else given
    if name not in made.get_params():
        raise UserError(
            f"--set {part}__{name}: {type(made).__name__} has no such parameter; it has "
            f"{', '.join(made.get_params()) or 'none'}."
        )
    return made.set_params(**{name: value})


def check_number(method: Method, n_clusters: int | None, settings: dict[str, Any]) -> None:
    """Raise an error if -k is given to a method that finds the number itself, or given twice."""
    if n_clusters is None:
        return
    if "n_clusters" not in method.takes:
        raise UserError(
            f"-k: {method.estimator} finds the number of clusters by itself; leave out -k "
            f"{n_clusters}, or choose another --method."
        )
    if "n_clusters" in settings:
        raise UserError("-k and --set n_clusters are the same parameter; give one of them.")


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "none": None, "inf": float("inf")}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _similar(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f" Did you mean {near[0]}?" if near else ""
