in vec3 v_at;
in vec3 v_normal;
in vec4 v_color;
in vec4 v_look;

// Towards the sun; w: width of a pixel of the map of shadows in metres, 0 without shadows.
uniform vec4 u_sun;
uniform mat4 u_shadow;
uniform sampler2DShadow u_depths;
uniform int u_lamp_count;
// Place and reach; colour.
uniform vec4 u_lamps[8];
uniform vec4 u_lamp_colors[8];
// Colour of the background, and the part of a colour that is left after a metre (its logarithm).
uniform vec4 u_fog;
// The eye in the world, for lines every metre.
uniform vec4 u_eye;

out vec4 color;

float lit(vec3 n, float slope) {
    if (u_sun.w == 0.0) {
        return 1.0;
    }
    // From a little off the surface: it would shade itself where a pixel of the map covers a slope.
    vec4 at = u_shadow * vec4(v_at + n * u_sun.w * (1.0 + 2.0 * (1.0 - slope)), 1.0);
    vec3 p = at.xyz * 0.5 + 0.5;
    if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0)))) {
        return 1.0;
    }
    return texture(u_depths, vec3(p.xy, p.z - 0.0004));
}

float lines() {
    vec3 at = v_at + u_eye.xyz;
    vec3 wide = max(fwidth(at), vec3(1e-6));
    vec3 away = abs(fract(at - 0.5) - 0.5) / wide;
    // Across a face along an axis that coordinate does not change: no line there.
    vec3 n = abs(normalize(v_normal));
    away += step(0.9, n) * 1e3;
    float near = min(min(away.x, away.y), away.z);
    float seen = clamp(0.35 / max(max(wide.x, wide.y), wide.z), 0.0, 1.0);
    return (1.0 - clamp(near - 0.5, 0.0, 1.0)) * seen;
}

void main() {
    vec3 n = normalize(v_normal);
    vec3 toward = normalize(-v_at);
    if (dot(n, toward) < 0.0) {
        n = -n;
    }
    // Light adds up in squares of what the screen takes.
    vec3 base = v_color.rgb * v_color.rgb;
    if (v_look.y > 0.5) {
        base *= 1.0 - 0.45 * lines();
    }
    float slope = max(dot(n, u_sun.xyz), 0.0);
    float shine = slope > 0.0 ? slope * lit(n, slope) : 0.0;
    vec3 light = mix(vec3(0.20, 0.21, 0.25), vec3(0.42, 0.45, 0.50), 0.5 + 0.5 * n.z) + vec3(0.85, 0.82, 0.76) * shine;
    float glint = pow(max(dot(n, normalize(toward + u_sun.xyz)), 0.0), 32.0) * 0.12 * step(0.001, shine);
    for (int i = 0; i < 8; i++) {
        if (i >= u_lamp_count) {
            break;
        }
        vec3 way = u_lamps[i].xyz - v_at;
        float far = dot(way, way) / (u_lamps[i].w * u_lamps[i].w);
        light += u_lamp_colors[i].rgb * max(dot(n, normalize(way)), 0.0) / (1.0 + far) * 1.4;
    }
    vec3 shown = mix(base * light + vec3(glint), base, v_look.x);
    if (u_fog.w > 0.0) {
        shown = mix(u_fog.rgb * u_fog.rgb, shown, exp2(-u_fog.w * length(v_at)));
    }
    color = vec4(sqrt(clamp(shown, 0.0, 1.0)), v_color.a);
}
