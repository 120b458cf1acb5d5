// A program for the debug information of it, which subroutine_walk_fuzz starts from: functions
// inlined into others and cold parts, out of namespaces and classes. It never runs.
namespace shapes {

extern int out[];
void complain(int);

struct Square {
  int side;
  int area() const { return side * side; }
  int grown(int by) const;
};

inline int Square::grown(int by) const {
  if (__builtin_expect(by < 0, 0)) complain(by);
  return Square{side + by}.area();
}

namespace {
int total(const Square* squares, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += squares[i].grown(i);
  return sum;
}
}  // namespace

}  // namespace shapes

extern "C" int measure(const shapes::Square* squares, int count) {
  if (count > 9) return shapes::out[0] = shapes::total(squares, count / 2);
  return shapes::total(squares, count) + squares->area();
}

int measure_again(const shapes::Square* squares) { return measure(squares, 3); }
