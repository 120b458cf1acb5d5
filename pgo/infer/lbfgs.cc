#include "pgo/infer/lbfgs.h"

#include <cmath>
#include <deque>

namespace pgo::infer {
namespace {

constexpr double kArmijo = 1e-4;
constexpr unsigned kMaxHalvings = 20;

// Eight sums side by side: no faster order is left to a compiler, and the order is fixed.
template <typename A, typename B>
double dot(const std::vector<A>& a, const std::vector<B>& b) {
  constexpr size_t kLanes = 8;
  double sums[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= a.size(); i += kLanes)
    for (size_t lane = 0; lane < kLanes; lane++)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  for (; i < a.size(); i++)
    sums[i % kLanes] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  double sum = 0;
  for (double lane : sums) sum += lane;
  return sum;
}

template <typename Float>
void add_multiple(std::vector<double>& to, double factor, const std::vector<Float>& of) {
  for (size_t i = 0; i < to.size(); i++) to[i] += factor * static_cast<double>(of[i]);
}

// In single precision: reading them is most of the work, and what they tell is rough.
struct Step {
  std::vector<float> moved, turned;  // differences of points and of gradients
  double inverse = 0;                // 1 / (moved . turned)
};

std::vector<double> find_direction(const std::vector<double>& gradient,
                                   const std::deque<Step>& steps) {
  std::vector<double> direction = gradient;
  std::vector<double> alphas(steps.size());
  for (size_t i = steps.size(); i-- > 0;) {
    alphas[i] = steps[i].inverse * dot(steps[i].moved, direction);
    add_multiple(direction, -alphas[i], steps[i].turned);
  }
  double scale = 0;
  if (steps.empty()) {
    double length = std::sqrt(dot(gradient, gradient));
    scale = length > 1 ? 1 / length : 1;
  } else {
    scale = 1 / (steps.back().inverse * dot(steps.back().turned, steps.back().turned));
  }
  for (double& d : direction) d *= scale;
  for (size_t i = 0; i < steps.size(); i++) {
    double beta = steps[i].inverse * dot(steps[i].turned, direction);
    add_multiple(direction, alphas[i] - beta, steps[i].moved);
  }
  for (double& d : direction) d = -d;
  return direction;
}

}  // namespace

double minimize(std::vector<double>& x, const Objective& objective, const LbfgsOptions& options) {
  std::vector<double> gradient(x.size()), next(x.size()), next_gradient(x.size());
  double value = objective(x, gradient);
  std::deque<Step> steps;
  for (unsigned iteration = 0; iteration < options.iterations; iteration++) {
    std::vector<double> direction = find_direction(gradient, steps);
    double slope = dot(direction, gradient);
    if (!(slope < 0)) break;
    double step = 1, next_value = 0;
    unsigned halvings = 0;
    for (;; halvings++, step /= 2) {
      if (halvings > kMaxHalvings) return value;
      next = x;
      add_multiple(next, step, direction);
      next_value = objective(next, next_gradient);
      if (next_value <= value + kArmijo * step * slope) break;  // not so for NaN
    }
    Step taken;
    if (steps.size() == options.history) {
      taken = std::move(steps.front());
      steps.pop_front();
    }
    taken.moved.resize(x.size());
    taken.turned.resize(x.size());
    for (size_t i = 0; i < x.size(); i++) {
      taken.moved[i] = static_cast<float>(next[i] - x[i]);
      taken.turned[i] = static_cast<float>(next_gradient[i] - gradient[i]);
    }
    double curvature = dot(taken.moved, taken.turned);
    if (curvature > 0 && std::isfinite(curvature)) {
      taken.inverse = 1 / curvature;
      steps.push_back(std::move(taken));
    }
    x.swap(next);
    gradient.swap(next_gradient);
    value = next_value;
  }
  return value;
}

}  // namespace pgo::infer
