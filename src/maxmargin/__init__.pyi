from maxmargin._runtime.versions import show_versions as show_versions
from maxmargin._runtime.warnings import MaxMarginWarning as MaxMarginWarning
from maxmargin._version import __version__ as __version__
from maxmargin.estimators.cutting_plane_clustering import (
    CuttingPlaneClustering as CuttingPlaneClustering,
)
from maxmargin.estimators.iterative_svr_clustering import (
    IterativeSVRClustering as IterativeSVRClustering,
)
from maxmargin.estimators.multiple_kernel_clustering import (
    MultipleKernelClustering as MultipleKernelClustering,
)
from maxmargin.estimators.rls_clustering import RLSClustering as RLSClustering
from maxmargin.estimators.rls_path import rls_path as rls_path
from maxmargin.estimators.sdp_clustering import SDPClustering as SDPClustering
from maxmargin.estimators.support_vector_clustering import (
    SupportVectorClustering as SupportVectorClustering,
)
from maxmargin.front_door.max_margin_clustering import MaxMarginClustering as MaxMarginClustering
from maxmargin.front_door.unsupervised_search import UnsupervisedSearch as UnsupervisedSearch
from maxmargin.persistence.model_files import load as load
from maxmargin.persistence.model_files import save as save
from maxmargin.preprocessing.table_encoder import TableEncoder as TableEncoder
from maxmargin.report.report import Report as Report
