in vec3 a_position;
in vec3 a_normal;
in vec3 i_position;
in vec4 i_rotation;
in vec3 i_scale;
in vec4 i_color;

uniform mat4 u_clip;
// The eye (w = 1), or a direction (w = 0): a box shows the three faces on that side.
uniform vec4 u_toward;
// 1 for boxes.
uniform int u_is_box;

out vec3 v_at;
out vec3 v_normal;
out vec4 v_color;

vec3 turn(vec4 q, vec3 v) {
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

void main() {
    vec3 corner = a_position;
    vec3 normal = a_normal;
    if (u_is_box == 1) {
        vec3 toward = turn(vec4(-i_rotation.xyz, i_rotation.w), u_toward.xyz - u_toward.w * i_position);
        vec3 side = vec3(toward.x < 0.0 ? -1.0 : 1.0, toward.y < 0.0 ? -1.0 : 1.0, toward.z < 0.0 ? -1.0 : 1.0);
        corner *= side;
        normal *= side;
    }
    v_at = turn(i_rotation, corner * i_scale) + i_position;
    v_normal = turn(i_rotation, normal / i_scale);
    v_color = i_color;
    gl_Position = u_clip * vec4(v_at, 1.0);
}
