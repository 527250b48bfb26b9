"""Colours that colour-blind readers can tell apart, and markers where they repeat."""

#: The palette of Okabe and Ito, without its black.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
#: What is shown, and what of it was chosen.
MAIN, CHOSEN = PALETTE[0], PALETTE[5]
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
OUTLIER = {"color": "#000000", "marker": "x"}


def style_of(cluster: int) -> dict[str, str]:
    """The colour and the marker of a cluster; black crosses for −1.

    Examples
    --------
    >>> from maxmargin.explain.colors import style_of
    >>> style_of(1), style_of(9)
    ({'color': '#E69F00', 'marker': 'o'}, {'color': '#E69F00', 'marker': 's'})
    """
    if cluster < 0:
        return OUTLIER
    turn, place = divmod(cluster, len(PALETTE))
    return {"color": PALETTE[place], "marker": MARKERS[turn % len(MARKERS)]}
