"""Tables of R packages with a class column: a folder of CSV files, as Rdatasets has them.

MAXMARGIN_PACKAGE_TABLES names it.

``package_tables.csv`` lists them: of all tables of 80 to 1500 rows and 5 to 30 columns, those with
a column of 2 to 6 values that a random forest predicts from the others (out of bag, at least .6 of
the way from the largest class to all right), that is copied by none of them; one for each name,
then at random into two halves. Constants were chosen on ``tune`` only.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

ROWS = 400
FOLDER = "MAXMARGIN_PACKAGE_TABLES"
IDS = ("rownames", "unnamed: 0", "id", "case", "obs", "subject", "row", "index")


@cache
def listed(half: str) -> dict[str, str]:
    """The class column of each table of a half; none without the folder."""
    if FOLDER not in os.environ:
        return {}
    rows = pd.read_csv(Path(__file__).with_suffix(".csv"))
    return dict(rows.loc[rows["half"] == half, ["table", "class"]].itertuples(index=False))


def table(name: str, column: str) -> tuple[pd.DataFrame, np.ndarray, int]:
    """Columns, classes, number of classes; 400 rows at most."""
    frame = pd.read_csv(Path(os.environ[FOLDER]) / f"{name}.csv")
    frame = frame.drop(columns=[c for c in frame.columns if c.lower() in IDS])
    frame = frame.loc[:, frame.isna().mean() < 0.5].dropna(subset=[column])
    classes = pd.factorize(frame.pop(column))[0]
    few = [c for c in frame if frame[c].dtype.kind in "biuf" or frame[c].nunique() <= 12]
    frame = frame[few].replace([np.inf, -np.inf], np.nan)
    some = np.random.default_rng(0).permutation(len(frame))[:ROWS]
    some = some if len(frame) > ROWS else np.arange(len(frame))
    return frame.iloc[some].reset_index(drop=True), classes[some], classes.max() + 1
