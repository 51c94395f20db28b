in vec3 a_position;
in vec3 i_position;
in float i_size;
in float i_age;
in vec4 i_color;

uniform mat4 u_clip;
uniform vec4 u_half;
uniform vec4 u_right;
uniform vec4 u_up;

out vec2 v_place;
out float v_age;
out float v_seed;
out vec4 v_color;

void main() {
    vec4 middle = u_clip * vec4(i_position, 1.0);
    if (i_size < 0.0) {
        gl_Position = middle + vec4(a_position.xy * -i_size / u_half.xy * middle.w, -u_half.z * middle.w, 0.0);
    } else {
        vec3 at = i_position + (u_right.xyz * a_position.x + u_up.xyz * a_position.y) * i_size;
        gl_Position = u_clip * vec4(at, 1.0);
    }
    v_place = a_position.xy;
    v_age = i_age;
    v_seed = fract(float(gl_InstanceID) * 0.618034);
    v_color = i_color;
}
