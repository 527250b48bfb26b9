"""The steps of a fit of the front door, by the functions that do them."""

FRONT_DOOR = "maxmargin.front_door"
SPACES = "maxmargin.spaces"

STAGES = {
    "kernel": (
        f"{SPACES}.pairwise:PairwiseDistances.squared",
        f"{SPACES}.pairwise:PairwiseDistances.neighbors",
        f"{SPACES}.pairwise:PairwiseDistances.scale",
        f"{SPACES}.pairwise:GaussianSpace.affinity",
        f"{SPACES}.neighbors:GraphSpace.affinity",
    ),
    "inverse": (
        f"{SPACES}.quadratic_form:QuadraticForm.from_gram",
        f"{SPACES}.quadratic_form:QuadraticForm.from_graph",
    ),
    "leave one out": (
        "maxmargin.objectives.leave_one_out:LeaveOneOut.of_form",
        "maxmargin.objectives.leave_one_out:LeaveOneOut.form",
    ),
    "eigenvectors": (f"{FRONT_DOOR}.candidates:leading_vectors",),
    "starts": (f"{FRONT_DOOR}.candidates:spectral_labels",),
    "shaking": ("maxmargin.search.engine:Engine.run", "maxmargin.search.engine:Engine.settled"),
    "polish": ("maxmargin.objectives.leave_one_out:ErrorForm.polish",),
    "judges": (f"{FRONT_DOOR}.choice:rank", f"{FRONT_DOOR}.choice:_borders"),
    "mixture": (f"{FRONT_DOOR}.choice:_mixture",),
    "structure": (f"{FRONT_DOOR}.subsample:proposed",),
    "number": (f"{FRONT_DOOR}.number:Evidence.add", f"{FRONT_DOOR}.number:Evidence.for_one"),
    "final model": (f"{FRONT_DOOR}.choice:fit_partition",),
}
