"""``maxmargin demo``: handwritten digits, clustered and explained."""

from time import process_time

import click


@click.command()
def demo() -> None:
    """Cluster the handwritten digits of scikit-learn, and say what came out."""
    import numpy as np
    from sklearn.datasets import load_digits
    from sklearn.metrics import adjusted_rand_score

    from maxmargin import MaxMarginClustering
    from maxmargin.cli.console import progress_bar, text_table

    X, digits = load_digits(return_X_y=True)
    train, new = slice(0, 1500), slice(1500, None)
    click.echo(f"{len(X)} images of handwritten digits, 8 × 8 pixels, without their labels.")
    click.echo("Ten clusters from the first 1500 images:\n")

    began = process_time()
    with progress_bar(quiet=False):
        model = MaxMarginClustering(n_clusters=10, random_state=0).fit(X[train])
    seconds = process_time() - began

    table = []
    for c in range(10):
        members = digits[train][model.labels_ == c]
        counts = np.bincount(members, minlength=10)
        share = counts.max() / len(members)
        table.append([str(c), str(len(members)), str(counts.argmax()), f"{share:.0%}"])
    click.echo(text_table(["cluster", "size", "mostly", "share"], table))

    found = adjusted_rand_score(digits[train], model.labels_)
    predicted = adjusted_rand_score(digits[new], model.predict(X[new]))
    click.echo(f"\nAgreement with the true digits (adjusted Rand index): {found:.2f}")
    click.echo(
        f"The same for {len(X[new])} images that were not clustered, by predict: {predicted:.2f}"
    )
    click.echo(f"Leave-one-out fit of the clusters, which needs no labels: {model.loo_score_:.2f}")
    uncertain = int(model.uncertain_.sum())
    click.echo(f"{uncertain} images are uncertain: left out, they would go elsewhere.")
    click.echo(f"What was chosen: {model.chosen_['why']}")
    click.echo(f"{seconds:.1f} s of CPU time.")
