"""What the benchmarks share: data sets, the machine, tables and the RLS grid."""
