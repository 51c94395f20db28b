// Compiled for each need: what a scene does not have costs nothing, since software renders both sides of a branch.
// SHADOWS, LAMPS, FOG, SOFT; GRID or BRIGHT.
in vec3 v_at;
in vec3 v_normal;
in vec4 v_color;

// Towards the sun; w: width of a pixel of the map of shadows in metres.
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

#ifdef SHADOWS
float lit(vec3 n, float slope) {
    // From a little off the surface: it would shade itself where a pixel of the map covers a slope.
    vec4 at = u_shadow * vec4(v_at + n * u_sun.w * (1.5 + 3.0 * (1.0 - slope)), 1.0);
    vec3 p = at.xyz * 0.5 + 0.5;
    float inside = step(0.0, min(min(p.x, p.y), min(1.0 - p.x, 1.0 - p.y)));
    p.z -= 0.0004;
#ifdef SOFT
    // Four places in a turned square, each between four pixels of the map.
    vec2 wide = vec2(1.0) / vec2(textureSize(u_depths, 0));
    float seen = texture(u_depths, vec3(p.xy + wide * vec2(0.4, 1.1), p.z));
    seen += texture(u_depths, vec3(p.xy + wide * vec2(-1.1, 0.4), p.z));
    seen += texture(u_depths, vec3(p.xy + wide * vec2(-0.4, -1.1), p.z));
    seen += texture(u_depths, vec3(p.xy + wide * vec2(1.1, -0.4), p.z));
    return mix(1.0, 0.25 * seen, inside);
#else
    // Between four pixels of the map.
    return mix(1.0, texture(u_depths, p), inside);
#endif
}
#endif

#ifdef GRID
float lines(vec3 n) {
    vec3 at = v_at + u_eye.xyz;
    vec3 wide = max(fwidth(at), vec3(1e-6));
    vec3 away = abs(fract(at - 0.5) - 0.5) / wide;
    // Across a face along an axis that coordinate does not change: no line there.
    away += step(0.9, abs(n)) * 1e3;
    float near = min(min(away.x, away.y), away.z);
    float seen = clamp(0.35 / max(max(wide.x, wide.y), wide.z), 0.0, 1.0);
    return (1.0 - clamp(near - 0.5, 0.0, 1.0)) * seen;
}
#endif

void main() {
    // Light adds up in squares of what the screen takes.
    vec3 base = v_color.rgb * v_color.rgb;
#ifdef BRIGHT
    vec3 shown = base;
#else
    vec3 n = normalize(v_normal);
    vec3 toward = normalize(-v_at);
    n *= dot(n, toward) < 0.0 ? -1.0 : 1.0;
#ifdef GRID
    base *= 1.0 - 0.45 * lines(n);
#endif
    float slope = max(dot(n, u_sun.xyz), 0.0);
    float shine = slope;
#ifdef SHADOWS
    shine *= lit(n, slope);
#endif
    vec3 light = mix(vec3(0.20, 0.21, 0.25), vec3(0.42, 0.45, 0.50), 0.5 + 0.5 * n.z) + vec3(0.85, 0.82, 0.76) * shine;
    // The 32nd power.
    float glint = max(dot(n, normalize(toward + u_sun.xyz)), 0.0);
    glint *= glint;
    glint *= glint;
    glint *= glint;
    glint *= glint;
    glint *= glint;
#ifdef LAMPS
    for (int i = 0; i < 8; i++) {
        if (i >= u_lamp_count) {
            break;
        }
        vec3 way = u_lamps[i].xyz - v_at;
        float far = dot(way, way) / (u_lamps[i].w * u_lamps[i].w);
        light += u_lamp_colors[i].rgb * max(dot(n, normalize(way)), 0.0) / (1.0 + far) * 1.4;
    }
#endif
    vec3 shown = base * light + vec3(glint * 0.12 * step(0.001, shine));
#endif
#ifdef FOG
    shown = mix(u_fog.rgb * u_fog.rgb, shown, exp2(-u_fog.w * length(v_at)));
#endif
    color = vec4(sqrt(clamp(shown, 0.0, 1.0)), v_color.a);
}
