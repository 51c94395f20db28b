in vec2 v_place;
in float v_age;
in float v_seed;
in vec4 v_color;

out vec4 color;

float random(vec2 p) {
    return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453);
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 part = fract(p);
    part = part * part * (3.0 - 2.0 * part);
    float low = mix(random(cell), random(cell + vec2(1.0, 0.0)), part.x);
    float high = mix(random(cell + vec2(0.0, 1.0)), random(cell + vec2(1.0, 1.0)), part.x);
    return mix(low, high, part.y);
}

void main() {
    float out_of = length(v_place);
    if (v_age < 0.0) {
        float edge = fwidth(out_of);
        color = vec4(v_color.rgb, v_color.a * (1.0 - smoothstep(1.0 - 2.0 * edge, 1.0, out_of)));
        return;
    }
    // A ball of fire that grows, breaks up and turns to smoke.
    vec2 p = v_place * 3.0 + v_seed * 17.0;
    float wild = 0.6 * noise(p + v_age * 2.0) + 0.3 * noise(2.3 * p - v_age * 3.0) + 0.1 * noise(5.1 * p);
    float edge = 0.25 + 0.75 * sqrt(v_age);
    float dense = clamp((edge * (0.55 + 0.9 * wild) - out_of) * 4.0, 0.0, 1.0);
    float heat = clamp(1.3 - 1.5 * v_age - 0.7 * out_of + 0.5 * wild, 0.0, 1.0);
    vec3 fire = mix(vec3(0.20, 0.18, 0.18), vec3(1.0, 0.45, 0.08), smoothstep(0.05, 0.5, heat));
    fire = mix(fire, vec3(1.0, 0.95, 0.7), smoothstep(0.6, 1.0, heat));
    color = vec4(fire, dense * (1.0 - smoothstep(0.55, 1.0, v_age)));
}
