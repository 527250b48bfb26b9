"""Tables as people have them: columns of numbers, flags, categories, dates, with gaps → rows."""

from maxmargin.preprocessing.table_encoder import TableEncoder
from maxmargin.preprocessing.table_scaler import TableScaler

__all__ = ["TableEncoder", "TableScaler"]
