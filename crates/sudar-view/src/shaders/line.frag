in vec4 v_color;
in vec2 v_side;
in float v_half;

out vec4 color;

void main() {
    float cover = clamp(v_half + 0.5 - abs(v_side.x / v_side.y), 0.0, 1.0);
    color = vec4(v_color.rgb, v_color.a * cover);
}
