// Times Coal and FCL on pairs of convex shapes, called natively, on the shapes and poses that `sudar-bench convex`
// writes.
//
//   convex CASE.txt SWEEPS VALUES.txt
//
// prints one line `library <tab> query <tab> median <tab> least` for each library and query: nanoseconds a query, the
// median of the sweeps through all poses and the sum of the blocks of poses each at its fastest. VALUES.txt receives one line `library <tab> query <tab> value value …` with the
// answer for each pose: 0 or 1 for `touch`; the distance, 0 where they overlap; the depth, 0 where they are apart.
//
// -DWITH_COAL or -DWITH_FCL chooses the library; README.md has the commands. Both tolerances are 1e-6 by default; the
// variants named by a tolerance ask for more.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef WITH_COAL
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#endif
#ifdef WITH_FCL
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#endif

namespace {

// ---------------------------------------------------------------------------------------------- the case

struct Form {
  std::string kind;
  std::vector<double> lengths;            // as in the file: half extents, radius and half length, semi-axes
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;
};

struct Placed {
  std::array<double, 9> rotation;         // row by row
  std::array<double, 3> translation;
};

struct Pose {
  std::size_t a, b;                       // numbers of the shapes
  Placed at_a, at_b;
};

struct Case {
  bool walk = false;                      // each pose is a small step from the one before
  std::vector<Form> a, b;
  std::vector<Pose> poses;
};

void expect(std::istream& in, const std::string& word) {
  std::string found;
  if (!(in >> found) || found != word) throw std::runtime_error("expected " + word + ", found " + found);
}

template <class Numbers>
void read(std::istream& in, Numbers& numbers) {
  for (auto& x : numbers)
    if (!(in >> x)) throw std::runtime_error("a number is missing");
}

Form read_form(std::istream& in) {
  Form form;
  in >> form.kind;
  if (form.kind == "hull") {
    std::size_t vertices = 0, triangles = 0;
    in >> vertices >> triangles;
    form.vertices.resize(vertices);
    form.triangles.resize(triangles);
    for (auto& v : form.vertices) read(in, v);
    for (auto& t : form.triangles) read(in, t);
    return form;
  }
  const bool one = form.kind == "sphere", three = form.kind == "cuboid" || form.kind == "ellipsoid";
  form.lengths.resize(one ? 1 : three ? 3 : 2);
  read(in, form.lengths);
  return form;
}

std::vector<Form> read_forms(std::istream& in, const std::string& word) {
  expect(in, word);
  std::size_t count = 0;
  in >> count;
  std::vector<Form> forms;
  for (std::size_t i = 0; i < count; ++i) forms.push_back(read_form(in));
  return forms;
}

Case read_case(const char* path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(std::string("cannot read ") + path);
  Case c;
  expect(in, "walk");
  in >> c.walk;
  c.a = read_forms(in, "first");
  c.b = read_forms(in, "second");
  expect(in, "poses");
  std::size_t count = 0;
  in >> count;
  c.poses.resize(count);
  for (auto& p : c.poses) {
    in >> p.a >> p.b;
    read(in, p.at_a.rotation), read(in, p.at_a.translation);
    read(in, p.at_b.rotation), read(in, p.at_b.translation);
  }
  return c;
}

// ---------------------------------------------------------------------------------------------- the libraries

// A library has Shape, Transform, shape(form), transform(placed), forget() and the three queries.

#ifdef WITH_COAL
struct Coal {
  using Shape = std::shared_ptr<coal::CollisionGeometry>;
  using Transform = coal::Transform3s;
  coal::CollisionRequest touching, contact;
  coal::DistanceRequest apart;
  bool remember;

  Coal(coal::GJKVariant variant, double tolerance, bool remember) : apart(true, false), remember(remember) {
    touching.enable_contact = false;
    contact.enable_contact = true;
    for (coal::QueryRequest* r : requests()) {
      r->gjk_variant = variant;
      r->gjk_tolerance = r->epa_tolerance = tolerance;
      if (remember) r->gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    }
  }

  std::array<coal::QueryRequest*, 3> requests() { return {&touching, &contact, &apart}; }

  static Shape shape(const Form& f) {
    const auto& l = f.lengths;
    if (f.kind == "sphere") return std::make_shared<coal::Sphere>(l[0]);
    if (f.kind == "cuboid") return std::make_shared<coal::Box>(2 * l[0], 2 * l[1], 2 * l[2]);
    if (f.kind == "ellipsoid") return std::make_shared<coal::Ellipsoid>(l[0], l[1], l[2]);
    if (f.kind == "capsule") return std::make_shared<coal::Capsule>(l[0], 2 * l[1]);
    if (f.kind == "cylinder") return std::make_shared<coal::Cylinder>(l[0], 2 * l[1]);
    if (f.kind == "cone") return std::make_shared<coal::Cone>(l[0], 2 * l[1]);
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (const auto& v : f.vertices) points->emplace_back(v[0], v[1], v[2]);
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (const auto& t : f.triangles) faces->emplace_back(t[0], t[1], t[2]);
    return std::make_shared<coal::Convex<coal::Triangle>>(points, points->size(), faces, faces->size());
  }

  static Transform transform(const Placed& p) {
    const auto& r = p.rotation;
    coal::Matrix3s m;
    m << r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8];
    return Transform(m, coal::Vec3s(p.translation[0], p.translation[1], p.translation[2]));
  }

  void forget() {
    for (coal::QueryRequest* r : requests()) {
      r->cached_gjk_guess = coal::Vec3s(1, 0, 0);
      r->cached_support_func_guess.setZero();
    }
  }

  double touch(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    coal::CollisionResult result;
    coal::collide(a.get(), at, b.get(), bt, touching, result);
    if (remember) touching.updateGuess(result);
    return result.isCollision() ? 1.0 : 0.0;
  }

  double distance(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    coal::DistanceResult result;
    coal::distance(a.get(), at, b.get(), bt, apart, result);
    if (remember) apart.updateGuess(result);
    return std::max(0.0, result.min_distance);
  }

  double depth(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    coal::CollisionResult result;
    coal::collide(a.get(), at, b.get(), bt, contact, result);
    if (remember) contact.updateGuess(result);
    return result.isCollision() ? std::abs(result.getContact(0).penetration_depth) : 0.0;
  }
};
#endif

#ifdef WITH_FCL
struct Fcl {
  using Shape = std::shared_ptr<fcl::CollisionGeometryd>;
  using Transform = fcl::Transform3d;
  fcl::CollisionRequestd touching, contact;
  fcl::DistanceRequestd apart;

  Fcl(fcl::GJKSolverType solver, double tolerance) {
    touching.gjk_tolerance = contact.gjk_tolerance = apart.distance_tolerance = tolerance;
    contact.enable_contact = true;
    touching.gjk_solver_type = contact.gjk_solver_type = apart.gjk_solver_type = solver;
  }

  static Shape shape(const Form& f) {
    const auto& l = f.lengths;
    if (f.kind == "sphere") return std::make_shared<fcl::Sphered>(l[0]);
    if (f.kind == "cuboid") return std::make_shared<fcl::Boxd>(2 * l[0], 2 * l[1], 2 * l[2]);
    if (f.kind == "ellipsoid") return std::make_shared<fcl::Ellipsoidd>(l[0], l[1], l[2]);
    if (f.kind == "capsule") return std::make_shared<fcl::Capsuled>(l[0], 2 * l[1]);
    if (f.kind == "cylinder") return std::make_shared<fcl::Cylinderd>(l[0], 2 * l[1]);
    if (f.kind == "cone") return std::make_shared<fcl::Coned>(l[0], 2 * l[1]);
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const auto& v : f.vertices) points->emplace_back(v[0], v[1], v[2]);
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& t : f.triangles) faces->insert(faces->end(), {3, t[0], t[1], t[2]});
    return std::make_shared<fcl::Convexd>(points, (int)f.triangles.size(), faces);
  }

  static Transform transform(const Placed& p) {
    const auto& r = p.rotation;
    Transform t = Transform::Identity();
    t.linear() << r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8];
    t.translation() << p.translation[0], p.translation[1], p.translation[2];
    return t;
  }

  void forget() {}

  double touch(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    fcl::CollisionResultd result;
    fcl::collide(a.get(), at, b.get(), bt, touching, result);
    return result.isCollision() ? 1.0 : 0.0;
  }

  double distance(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    fcl::DistanceResultd result;
    fcl::distance(a.get(), at, b.get(), bt, apart, result);
    return std::max(0.0, result.min_distance);
  }

  double depth(const Shape& a, const Transform& at, const Shape& b, const Transform& bt) {
    fcl::CollisionResultd result;
    fcl::collide(a.get(), at, b.get(), bt, contact, result);
    return result.isCollision() ? std::abs(result.getContact(0).penetration_depth) : 0.0;
  }
};
#endif

// ---------------------------------------------------------------------------------------------- the clock

constexpr std::size_t BLOCK = 200;         // poses between two looks at the clock

// Everything is made before the clock starts: shapes, transforms, requests.
template <class Library>
struct Bench {
  const Case& given;
  Library library;
  std::vector<typename Library::Shape> a, b;
  std::vector<typename Library::Transform> at_a, at_b;

  Bench(const Case& given, Library library) : given(given), library(std::move(library)) {
    for (const auto& f : given.a) a.push_back(prepared(f));
    for (const auto& f : given.b) b.push_back(prepared(f));
    for (const auto& p : given.poses) {
      at_a.push_back(Library::transform(p.at_a));
      at_b.push_back(Library::transform(p.at_b));
    }
  }

  static typename Library::Shape prepared(const Form& f) {
    auto shape = Library::shape(f);
    shape->computeLocalAABB();
    return shape;
  }

  // Nanoseconds of one sweep in all; `fastest` keeps the least that each block of poses ever took.
  template <class Query>
  double sweep(Query query, std::vector<double>& values, std::vector<double>& fastest) {
    double total = 0;
    for (std::size_t block = 0; block < fastest.size(); ++block) {
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t i = block * BLOCK; i < std::min(values.size(), (block + 1) * BLOCK); ++i) {
        const Pose& p = given.poses[i];
        if (given.walk && (i == 0 || p.a != given.poses[i - 1].a || p.b != given.poses[i - 1].b)) library.forget();
        values[i] = (library.*query)(a[p.a], at_a[i], b[p.b], at_b[i]);
      }
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
      fastest[block] = std::min(fastest[block], taken.count());
      total += taken.count();
    }
    return total;
  }

  template <class Query>
  void time(const std::string& name, const char* word, Query query, int sweeps, std::FILE* out) {
    const std::size_t count = given.poses.size();
    std::vector<double> values(count), times, fastest((count + BLOCK - 1) / BLOCK, HUGE_VAL);
    sweep(query, values, fastest);
    for (int i = 0; i < sweeps; ++i) times.push_back(sweep(query, values, fastest) / double(count));
    std::sort(times.begin(), times.end());
    const double least = std::accumulate(fastest.begin(), fastest.end(), 0.0) / double(count);
    std::printf("%s\t%s\t%.3f\t%.3f\n", name.c_str(), word, times[times.size() / 2], least);
    std::fprintf(out, "%s\t%s\t", name.c_str(), word);
    for (double v : values) std::fprintf(out, "%.17g ", v);
    std::fprintf(out, "\n");
  }

  void run(const std::string& name, int sweeps, std::FILE* out) {
    time(name, "touch", &Library::touch, sweeps, out);
    time(name, "distance", &Library::distance, sweeps, out);
    time(name, "depth", &Library::depth, sweeps, out);
  }
};

template <class Library>
void bench(const std::string& name, const Case& given, int sweeps, std::FILE* out, Library library) {
  try {
    Bench<Library>(given, std::move(library)).run(name, sweeps, out);
  } catch (const std::exception& e) {
    std::cerr << name << ": " << e.what() << "\n";
  }
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) throw std::runtime_error("usage: convex CASE.txt SWEEPS VALUES.txt");
  const Case given = read_case(words[1]);
  const int sweeps = std::max(1, std::atoi(words[2]));
  std::FILE* out = std::fopen(words[3], "w");
  if (!out) throw std::runtime_error(std::string("cannot write ") + words[3]);
#ifdef WITH_COAL
  bench("Coal", given, sweeps, out, Coal(coal::GJKVariant::DefaultGJK, 1e-6, false));
  bench("Coal Nesterov", given, sweeps, out, Coal(coal::GJKVariant::NesterovAcceleration, 1e-6, false));
  bench("Coal 1e-7", given, sweeps, out, Coal(coal::GJKVariant::DefaultGJK, 1e-7, false));
  if (given.walk) bench("Coal with memory", given, sweeps, out, Coal(coal::GJKVariant::DefaultGJK, 1e-6, true));
#endif
#ifdef WITH_FCL
  bench("FCL", given, sweeps, out, Fcl(fcl::GST_LIBCCD, 1e-6));
  bench("FCL indep", given, sweeps, out, Fcl(fcl::GST_INDEP, 1e-6));
  bench("FCL 1e-10", given, sweeps, out, Fcl(fcl::GST_LIBCCD, 1e-10));
#endif
  std::fclose(out);
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
