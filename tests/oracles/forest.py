"""Peaks that meet as the level falls, in plain Python."""


def prominences(heights, start, stop, levels):
    """Sets of rows by their highest one; a merge of two peaks above the level ends the lower."""
    pieces = {i: {i} for i in range(len(heights))}
    ended = []
    for at, (i, j, level) in enumerate(zip(start, stop, levels, strict=True)):
        a, b = (next(top for top, rows in pieces.items() if row in rows) for row in (i, j))
        if heights[a] < heights[b]:
            a, b = b, a
        if heights[b] > level:
            ended.append((heights[b] - level, at))
        pieces[a] |= pieces.pop(b)
    return ended
