// Moderated variances: what the rows of a table have in common about how much hosts vary, lent to
// each row.
//
// Problem: three members a side leave four degrees of freedom. A row's own variance is then off by
// a factor of two as often as not; t tests have little power, and rows whose variance is small by
// chance lead the table.
// Idea: variances of rows scatter around a common one. How much they really scatter, besides by
// chance, is found from all rows, and each row's variance moves towards the common one by as much
// as that allows. It then counts as if it had `freedom` more degrees of freedom.
//
// Source: G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential
// expression in microarray experiments", Stat. Appl. Genet. Mol. Biol. 3(1), 2004, sections 4 and
// 6.2: 1 / variance is drawn from chi2(freedom) / (freedom scale); the moments of log variance give
// both parameters.
#pragma once

#include <span>

namespace pgo::verify {

// A variance, in any unit, and its degrees of freedom.
struct Variance {
  double value = 0;
  double freedom = 0;
};

// What is known of a row's variance before its members are looked at; freedom 0: nothing, infinity:
// all rows have the same. `freedom_of_rows`: what the rows that it was found from had in all.
struct VariancePrior {
  double scale = 1;
  double freedom = 0;
  double freedom_of_rows = 0;
};

// With fewer rows nothing is known of how variances scatter: they are not moderated then. With ten
// the scatter of log variances is known to a quarter.
inline constexpr size_t kMinModeratedRows = 10;

VariancePrior fit_variance_prior(std::span<const Variance> rows);

// The posterior mean, and the degrees of freedom that it is good for: at most those of all rows
// together.
Variance moderate(const Variance& row, const VariancePrior& prior);

}  // namespace pgo::verify
