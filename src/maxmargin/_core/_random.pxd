# splitmix64 (Steele, Lea and Flood 2014): one 64-bit word of state, seeded by the caller.
from libc.stdint cimport uint64_t


cdef inline uint64_t next_word(uint64_t* state) noexcept nogil:
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline Py_ssize_t below(uint64_t* state, Py_ssize_t n) noexcept nogil:
    """A whole number in [0, n); the bias of the modulus is below n / 2⁶⁴."""
    return <Py_ssize_t> (next_word(state) % <uint64_t> n)
