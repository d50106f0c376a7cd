/* atomic.hpp: ATOMIC::OPS; pin.H has everything. */
#ifndef COTTER_ATOMIC_HPP
#define COTTER_ATOMIC_HPP
#include "cotter/types.h"
#include "cotter/cxx_atomic.H"
#endif
