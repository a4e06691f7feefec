#pragma once
// RINGSIM_CLONES before the definition of a function: it is compiled for several instruction sets, and the loader takes the best that
// the machine has. The functions are loops over arrays and what is inlined into them. Results are the same to the bit everywhere:
// the build never fuses a product and a sum (-ffp-contract=off).
//
// Sanitizers instrument the function that chooses, which runs before they are ready: with them there is one version.

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define RINGSIM_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define RINGSIM_CLONES
#endif

// For functions with the loops of such a function: they become part of every version, however large they are.
#if defined(__GNUC__)
#define RINGSIM_IN_CLONES inline __attribute__((always_inline))
#else
#define RINGSIM_IN_CLONES inline
#endif
