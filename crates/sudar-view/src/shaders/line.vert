// x: which end, y: which side.
in vec3 a_position;
in vec3 i_from;
in vec3 i_to;
in float i_width;
in vec4 i_color;

uniform mat4 u_clip;
// Half the size of the picture in pixels; z: how much nearer lines are drawn than they are.
uniform vec4 u_half;

out vec4 v_color;
// Linear across the picture and not in depth: both times the depth.
out vec2 v_side;
out float v_half;

void main() {
    vec4 from = u_clip * vec4(i_from, 1.0);
    vec4 to = u_clip * vec4(i_to, 1.0);
    // What is behind the eye is cut off: it has no place in the picture.
    float least = 1e-4;
    if (from.w < least && to.w >= least) {
        from = mix(from, to, (least - from.w) / (to.w - from.w));
    } else if (to.w < least && from.w >= least) {
        to = mix(to, from, (least - to.w) / (from.w - to.w));
    }
    vec2 a = from.xy / from.w * u_half.xy;
    vec2 b = to.xy / to.w * u_half.xy;
    vec2 way = b - a;
    float length_of = length(way);
    vec2 along = length_of > 1e-6 ? way / length_of : vec2(1.0, 0.0);
    vec4 end = a_position.x < 0.5 ? from : to;
    // Half a pixel more on each side, where the colour fades: smooth edges.
    float wide = 0.5 * i_width + 0.5;
    vec2 place = end.xy / end.w + vec2(-along.y, along.x) * a_position.y * wide / u_half.xy;
    gl_Position = vec4(place * end.w, end.z - u_half.z * end.w, end.w);
    v_color = i_color;
    v_side = vec2(a_position.y * wide, 1.0) * end.w;
    v_half = 0.5 * i_width;
}
