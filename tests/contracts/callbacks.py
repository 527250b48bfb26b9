"""A callback of scikit-learn that writes down what it is told."""


class Recorder:
    """Calls ``do`` when so many parts are done; what it returns says whether that is enough."""

    def __init__(self, at=None, do=None):
        self.at, self.do = at, do
        self.told, self.n_parts, self.fitted = [], 0, None

    def setup(self, estimator, context):
        self.told.append("setup")

    def teardown(self, estimator, context):
        self.told.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.told.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.told.append(("end", context.task_name))
        if context.parent is None:
            self.fitted = fitted_estimator
        if context.max_subtasks != 0:
            return False
        self.n_parts += 1
        return self.do() if self.n_parts == self.at else False
