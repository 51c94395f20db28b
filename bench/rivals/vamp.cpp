// Checks configurations and edges of a robot with the headers of vamp-planner, for `bench/vamp.py`.
//
// vamp SCENE CONFIGS EDGES OUT: SCENE has a line for each thing, `box` with centre, roll, pitch, yaw and sizes, `capsule`
// with radius and length in place of sizes, or `cloud` with a file of points and their radius; the other files are rows
// of f32. Prints the least seconds of seven runs over all configurations and over all edges and those to prepare the
// clouds, and writes a byte for each configuration and each edge to OUT: whether it is free.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include HEADER
#include <vamp/collision/factory.hh>
#include <vamp/planning/validate.hh>

using Robot = vamp::robots::ROBOT;
namespace collision = vamp::collision;
constexpr std::size_t LANES = vamp::FloatVectorWidth;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<float> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
    return numbers;
}

std::vector<Robot::Configuration> configurations(const std::string &path) {
    std::vector<Robot::Configuration> all;
    const auto numbers = read(path);
    for (std::size_t i = 0; i + Robot::dimension <= numbers.size(); i += Robot::dimension) {
        Robot::ConfigurationBuffer one{};
        std::copy_n(&numbers[i], Robot::dimension, one.begin());
        all.emplace_back(one.data());
    }
    return all;
}

int main(int, char **argv) {
    collision::Environment<float> scene;
    std::ifstream things(argv[1]);
    double prepared = 0;
    for (std::string kind; things >> kind;) {
        if (kind == "cloud") {
            std::string path;
            float radius;
            things >> path >> radius;
            const auto numbers = read(path);
            std::vector<collision::Point> points;
            for (std::size_t i = 0; i + 3 <= numbers.size(); i += 3)
                points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
            const double start = seconds();
            scene.pointclouds.emplace_back(points, Robot::min_radius, Robot::max_radius, radius);
            prepared += seconds() - start;
            continue;
        }
        float x, y, z, roll, pitch, yaw, a, b, c;
        things >> x >> y >> z >> roll >> pitch >> yaw >> a >> b;
        // As `add_cuboid` and `add_capsule` of the package sort them.
        if (kind == "box") {
            things >> c;
            const auto box =
                collision::factory::cuboid::flat(x, y, z, roll, pitch, yaw, a / 2, b / 2, c / 2);
            (box.axis_3_z == 1.F ? scene.z_aligned_cuboids : scene.cuboids).push_back(box);
        } else {
            const auto capsule = collision::factory::capsule::center::flat(x, y, z, roll, pitch, yaw, a, b);
            (capsule.xv == 0.F && capsule.yv == 0.F ? scene.z_aligned_capsules : scene.capsules)
                .push_back(capsule);
        }
    }
    scene.sort();
    const collision::Environment<vamp::FloatVector<LANES>> environment(scene);

    const auto states = configurations(argv[2]), ends = configurations(argv[3]);
    std::vector<char> free(states.size() + ends.size() / 2);
    double of_states = 1e9, of_edges = 1e9;
    for (int run = 0; run < 7; ++run) {
        const double start = seconds();
        for (std::size_t i = 0; i < states.size(); ++i)
            free[i] = vamp::planning::validate_motion<Robot, LANES, 1>(states[i], states[i], environment);
        const double middle = seconds();
        for (std::size_t i = 0; 2 * i < ends.size(); ++i)
            free[states.size() + i] = vamp::planning::validate_motion<Robot, LANES, Robot::resolution>(
                ends[2 * i], ends[2 * i + 1], environment);
        of_states = std::min(of_states, middle - start);
        of_edges = std::min(of_edges, seconds() - middle);
    }
    std::printf("%.9f %.9f %.9f\n", of_states, of_edges, prepared);
    std::ofstream(argv[4], std::ios::binary).write(free.data(), static_cast<std::streamsize>(free.size()));
}
