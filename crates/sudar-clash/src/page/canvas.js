// A small 3-D picture in WebGL: surfaces, lines and spots, turned with the mouse, a finger or the keys. It knows nothing of clashes.
// `fixed` is its size in pixels, if it does not go with that of its home.
function canvas3d(home, fixed) {
  const canvas = document.createElement("canvas"), overlay = document.createElement("canvas");
  for (const layer of [canvas, overlay]) layer.style.cssText = "position:absolute;inset:0;width:100%;height:100%;touch-action:none";
  overlay.tabIndex = 0;
  overlay.title = "Drag to turn, Shift or right button to move, wheel to zoom, double click to reset; arrow keys, + and −";
  const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) throw new Error("no WebGL");
  home.replaceChildren(canvas, overlay);

  // ---- programs ------------------------------------------------------------
  // Only what is inside of the section box is drawn.
  const CUT = `
    #ifdef GL_FRAGMENT_PRECISION_HIGH
    precision highp float;
    #else
    precision mediump float;
    #endif
    uniform vec3 low; uniform vec3 high; varying vec3 at;
    void cut() { if (any(lessThan(at, low)) || any(greaterThan(at, high))) discard; }
  `;
  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, "varying vec3 at;" + vertex], [gl.FRAGMENT_SHADER, CUT + fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    return made;
  }
  const surfaces = program(
    "attribute vec3 p; attribute vec3 n; uniform mat4 m; uniform vec3 eye; uniform vec3 move; uniform float lift; varying float lit;" +
    "void main() { at = p + move; gl_Position = m * vec4(at, 1.0); gl_Position.z -= lift * gl_Position.w; lit = 0.55 + 0.45 * abs(dot(n, normalize(eye - at))); }",
    "uniform vec4 paint; varying float lit; void main() { cut(); gl_FragColor = vec4(paint.rgb * lit, paint.a); }");
  // A line is a strip as wide as asked in pixels; its ends are cut where they pass behind the eye, or too near to it.
  const strips = program(
    "attribute vec3 p; attribute vec3 q; attribute vec2 c; uniform mat4 m; uniform vec2 size; uniform float width; uniform float e;" +
    "void main() { vec4 a = m * vec4(p, 1.0), b = m * vec4(q, 1.0); float s = 0.0, t = 1.0;" +
    "if (a.w < e && b.w > e) s = (e - a.w) / (b.w - a.w); if (b.w < e && a.w > e) t = (e - a.w) / (b.w - a.w);" +
    "vec4 start = a; a = mix(start, b, s); b = mix(start, b, t); at = mix(p, q, c.y < 0.5 ? s : t);" +
    "vec2 way = (b.xy / b.w - a.xy / a.w) * size; float far = length(way); way = far > 0.0 ? way / far : vec2(1.0, 0.0);" +
    "vec4 end = c.y < 0.5 ? a : b; end.xy += vec2(-way.y, way.x) * c.x * width / size * end.w; end.z -= 0.0005 * end.w; gl_Position = end; }",
    "uniform vec4 paint; void main() { cut(); gl_FragColor = paint; }");
  // Of a hair each end knows the other: software lets lines go that it has to cut itself.
  const hairs = program(
    "attribute vec3 p; attribute vec3 q; uniform mat4 m; uniform vec3 move; uniform float e;" +
    "void main() { vec4 a = m * vec4(p + move, 1.0), b = m * vec4(q + move, 1.0); float s = a.w < e && b.w > e ? (e - a.w) / (b.w - a.w) : 0.0; at = mix(p, q, s) + move; gl_Position = mix(a, b, s); }",
    "uniform vec4 paint; void main() { cut(); gl_FragColor = paint; }");
  const spots = program(
    "attribute vec3 p; uniform mat4 m; uniform float width; void main() { at = p; gl_Position = m * vec4(p, 1.0); gl_Position.z -= 0.001 * gl_Position.w; gl_PointSize = width; }",
    "uniform vec4 paint; void main() { cut(); if (length(gl_PointCoord - 0.5) > 0.5) discard; gl_FragColor = paint; }");

  // ---- what is drawn -------------------------------------------------------
  let scene = null, buffers = [], turn = { yaw: -0.85, pitch: 0.55 }, shift = [0, 0, 0], zoom = 1, framed = null, waiting = false;

  function buffer(numbers) {
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    return made;
  }

  // Nine coordinates a triangle become points with the normal of its face.
  function faced(points) {
    const out = new Float32Array(2 * points.length);
    for (let i = 0; i < points.length; i += 9) {
      const dx = points[i + 3] - points[i], dy = points[i + 4] - points[i + 1], dz = points[i + 5] - points[i + 2];
      const ex = points[i + 6] - points[i], ey = points[i + 7] - points[i + 1], ez = points[i + 8] - points[i + 2];
      const x = dy * ez - dz * ey, y = dz * ex - dx * ez, z = dx * ey - dy * ex, size = Math.hypot(x, y, z) || 1;
      for (let c = 0; c < 3; c++) {
        for (let k = 0; k < 3; k++) out[2 * i + 6 * c + k] = points[i + 3 * c + k];
        out[2 * i + 6 * c + 3] = x / size; out[2 * i + 6 * c + 4] = y / size; out[2 * i + 6 * c + 5] = z / size;
      }
    }
    return out;
  }

  // Six coordinates a segment become two triangles.
  function stripped(ends) {
    const corners = [[-1, 0], [1, 0], [1, 1], [-1, 0], [1, 1], [-1, 1]], out = new Float32Array(8 * ends.length);
    for (let i = 0, at = 0; i < ends.length; i += 6) for (const corner of corners) {
      for (let k = 0; k < 6; k++) out[at++] = ends[i + k];
      out[at++] = corner[0];
      out[at++] = corner[1];
    }
    return out;
  }

  // Six coordinates a segment become two points, each with the other.
  function paired(ends) {
    const out = new Float32Array(2 * ends.length);
    for (let i = 0; i < ends.length; i += 6) for (let k = 0; k < 6; k++) {
      out[2 * i + k] = ends[i + k];
      out[2 * i + 6 + k] = ends[i + (k + 3) % 6];
    }
    return out;
  }

  // Of each kind of layer: its program, the numbers of its buffer, those of a point, and where they belong.
  const KINDS = {
    faces: { shader: surfaces, pack: faced, size: 6, layout: [["p", 3, 0], ["n", 3, 3]], mode: gl.TRIANGLES },
    strips: { shader: strips, pack: stripped, size: 8, layout: [["p", 3, 0], ["q", 3, 3], ["c", 2, 6]], mode: gl.TRIANGLES },
    hairs: { shader: hairs, pack: paired, size: 6, layout: [["p", 3, 0], ["q", 3, 3]], mode: gl.LINES },
    spots: { shader: spots, pack: x => Float32Array.from(x), size: 3, layout: [["p", 3, 0]], mode: gl.POINTS },
  };

  // Points on the card, to be drawn as often as wanted.
  function hold(kind, points) {
    const packed = KINDS[kind].pack(points);
    return { kind, data: buffer(packed), count: packed.length / KINDS[kind].size };
  }

  // Layers are drawn in order: of a kind and `points`, or `held`, then maybe `ranges` of it and a `move`. `bounds` is the
  // box to look at, about the origin; `cut`, if there is one, the low and the high corner of the section box; `pressed` is
  // told the line of sight of a click. Another `key` looks at it anew.
  function draw(next) {
    for (const old of buffers) gl.deleteBuffer(old);
    const layers = next.layers.map(layer => ({ ...layer, ...(layer.held || hold(layer.kind, layer.points)) }));
    buffers = layers.filter(layer => !layer.held).map(layer => layer.data);
    scene = { ...next, layers };
    if (framed !== next.key) reset();
    framed = next.key;
    paint();
  }

  function reset() {
    turn = { yaw: -0.85, pitch: 0.55 };
    shift = [0, 0, 0];
    zoom = 1;
  }

  // ---- the eye -------------------------------------------------------------
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  function axes() {
    const { yaw, pitch } = turn, [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return { right: [-sy, cy, 0], up: [-cy * sp, -sy * sp, cp], back: [cy * cp, sy * cp, sp] };
  }

  function eye() {
    const size = Math.hypot(...scene.bounds.map(([low, high]) => high - low)) || 1, aim = scene.bounds.map(([low, high], k) => (low + high) / 2 + shift[k]);
    const { right, up, back } = axes(), far = size / zoom, at = aim.map((x, k) => x + back[k] * far);
    const wide = canvas.width / canvas.height, tall = 2.2 / Math.min(1, wide), near = far / 50, most = far + Math.max(50 * size, 2 * scene.reach);
    const [x, y] = [tall / wide, tall], z = -(most + near) / (most - near), w = -2 * most * near / (most - near);
    const row = (v, s) => [s * v[0], s * v[1], s * v[2], -s * dot(v, at)];
    const [rx, ry, rz] = [row(right, x), row(up, y), row(back, 1)];
    const m = new Float32Array(16);
    for (let k = 0; k < 4; k++) {
      m[4 * k] = rx[k];
      m[4 * k + 1] = ry[k];
      m[4 * k + 2] = z * rz[k] + (k === 3 ? w : 0);
      m[4 * k + 3] = -rz[k];
    }
    return { m, at, far, tall, near };
  }

  function rgb(text) {
    const hex = text.replace("#", "");
    return [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16) / 255);
  }

  function put(layer, look, w, h, ratio) {
    const { shader, size, layout, mode } = KINDS[layer.kind], at = name => gl.getUniformLocation(shader, name), opacity = layer.opacity ?? 1;
    gl.useProgram(shader);
    gl.uniformMatrix4fv(at("m"), false, look.m);
    gl.uniform3fv(at("eye"), look.at);
    gl.uniform3fv(at("move"), layer.move || [0, 0, 0]);
    gl.uniform2f(at("size"), w, h);
    gl.uniform1f(at("e"), look.near);
    gl.uniform1f(at("width"), (layer.width || 1) * ratio);
    gl.uniform1f(at("lift"), layer.lift || 0);
    gl.uniform4f(at("paint"), ...rgb(layer.color), opacity);
    const [low, high] = scene.cut || [[-1e30, -1e30, -1e30], [1e30, 1e30, 1e30]];
    gl.uniform3fv(at("low"), low);
    gl.uniform3fv(at("high"), high);
    gl.bindBuffer(gl.ARRAY_BUFFER, layer.data);
    for (const [name, many, from] of layout) {
      const place = gl.getAttribLocation(shader, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, many, gl.FLOAT, false, 4 * size, 4 * from);
    }
    // What shines through hides nothing.
    gl.depthMask(opacity === 1);
    for (const [first, count] of layer.ranges || [[0, layer.count]]) gl.drawArrays(mode, first, count);
    // The next layer may have fewer, and this one's buffer may go.
    for (const [name] of layout) gl.disableVertexAttribArray(gl.getAttribLocation(shader, name));
  }

  function paint() {
    waiting = false;
    if (!scene) return;
    const ratio = fixed ? 1.6 : Math.min(devicePixelRatio || 1, 2), [w, h] = fixed || [home.clientWidth, home.clientHeight].map(x => Math.max(1, Math.round(x * ratio)));
    for (const layer of [canvas, overlay]) if (layer.width !== w || layer.height !== h) Object.assign(layer, { width: w, height: h });
    const look = eye();
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const layer of scene.layers) if (layer.count) put(layer, look, w, h, ratio);
    words(look, ratio);
  }

  // Once before the next picture on the screen.
  function soon() {
    if (!waiting) requestAnimationFrame(paint);
    waiting = true;
  }

  // The label, the directions of the axes, and how large the box is.
  function words(look, ratio) {
    const pen = overlay.getContext("2d"), { width: w, height: h } = overlay, { right, up } = axes();
    pen.clearRect(0, 0, w, h);
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.lineWidth = 1.5 * ratio;
    const corner = [34 * ratio, h - 34 * ratio], arm = 22 * ratio;
    ["x", "y", "z"].forEach((name, k) => {
      const end = [corner[0] + right[k] * arm, corner[1] - up[k] * arm];
      pen.strokeStyle = pen.fillStyle = scene.ink;
      pen.beginPath();
      pen.moveTo(...corner);
      pen.lineTo(...end);
      pen.stroke();
      pen.fillText(name, end[0] + right[k] * 7 * ratio - 3 * ratio, end[1] - up[k] * 7 * ratio + 4 * ratio);
    });
    pen.lineWidth = 3 * ratio;
    pen.strokeStyle = scene.card;
    const caption = scene.caption(zoom);
    pen.strokeText(caption, 70 * ratio, h - 12 * ratio);
    pen.fillText(caption, 70 * ratio, h - 12 * ratio);
    pen.lineWidth = 1.5 * ratio;
    const [x, y] = project(look.m, scene.label.at, w, h);
    if (!Number.isFinite(x)) return;
    const text = scene.label.text, wide = pen.measureText(text).width + 10 * ratio, inside = (at, most) => Math.max(4 * ratio, Math.min(most, at));
    const box = [inside(x + 40 * ratio, w - wide - 4 * ratio), inside(y - 56 * ratio, h - 22 * ratio)];
    pen.strokeStyle = scene.label.color;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(box[0], box[1] + 9 * ratio);
    pen.stroke();
    pen.fillStyle = scene.card;
    pen.fillRect(...box, wide, 18 * ratio);
    pen.strokeRect(...box, wide, 18 * ratio);
    pen.fillStyle = scene.label.color;
    pen.fillText(text, box[0] + 5 * ratio, box[1] + 13 * ratio);
  }

  function project(m, p, w, h) {
    const [x, y, , s] = [0, 1, 2, 3].map(r => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
    return s > 0 ? [(x / s + 1) * w / 2, (1 - y / s) * h / 2] : [NaN, NaN];
  }

  // ---- hands ---------------------------------------------------------------
  function turned(dx, dy) {
    turn.yaw -= dx;
    turn.pitch = Math.max(-1.57, Math.min(1.57, turn.pitch + dy));
  }
  function moved(dx, dy) {
    const { right, up } = axes(), { far, tall } = eye(), unit = 2 * far / tall / home.clientHeight;
    shift = shift.map((x, k) => x - (right[k] * dx - up[k] * dy) * unit);
  }
  function zoomed(by) { zoom = Math.max(0.05, Math.min(500, zoom * by)); }

  // Where the line of sight through a place on the screen begins, which way it goes, and where a point is on the screen.
  function sight(event) {
    const { m, at, tall } = eye(), { right, up, back } = axes(), box = overlay.getBoundingClientRect();
    const x = 2 * (event.clientX - box.left) / box.width - 1, y = 1 - 2 * (event.clientY - box.top) / box.height, wide = canvas.width / canvas.height;
    const way = right.map((r, k) => (r * x * wide + up[k] * y) / tall - back[k]);
    const off = p => { const [px, py] = project(m, p, box.width, box.height); return Math.hypot(px + box.left - event.clientX, py + box.top - event.clientY); };
    return { at, way, off };
  }

  const fingers = new Map();
  let press = null;
  overlay.addEventListener("pointerdown", event => {
    press = fingers.size ? null : [event.clientX, event.clientY];
    overlay.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  overlay.addEventListener("pointerup", event => {
    const isClick = press && Math.hypot(event.clientX - press[0], event.clientY - press[1]) < 5;
    if (isClick && scene?.pressed) scene.pressed(sight(event));
  });
  for (const end of ["pointerup", "pointercancel"]) overlay.addEventListener(end, event => fingers.delete(event.pointerId));
  overlay.addEventListener("pointermove", event => {
    const before = fingers.get(event.pointerId), here = [event.clientX, event.clientY];
    if (!before || !scene) return;
    const [dx, dy] = here.map((x, k) => x - before[k]), other = [...fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const apart = p => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]) || 1;
      zoomed(apart(here) / apart(before));
      moved(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) moved(dx, dy);
    else turned(dx * 0.008, dy * 0.008);
    fingers.set(event.pointerId, here);
    soon();
  });
  overlay.addEventListener("wheel", event => {
    event.preventDefault();
    zoomed(Math.exp(-Math.sign(event.deltaY) * 0.12));
    soon();
  }, { passive: false });
  overlay.addEventListener("dblclick", () => { reset(); soon(); });
  overlay.addEventListener("contextmenu", event => event.preventDefault());
  const keys = {
    ArrowLeft: () => turned(0.1, 0), ArrowRight: () => turned(-0.1, 0), ArrowUp: () => turned(0, 0.1), ArrowDown: () => turned(0, -0.1),
    "+": () => zoomed(1.2), "-": () => zoomed(1 / 1.2), "0": reset,
  };
  overlay.addEventListener("keydown", event => {
    if (!keys[event.key] || !scene) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
    soon();
  });
  new ResizeObserver(soon).observe(home);
  canvas.addEventListener("webglcontextlost", event => event.preventDefault());
  // What is on the screen, on a ground of this colour.
  function picture(ground) {
    const out = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }), pen = out.getContext("2d");
    pen.fillStyle = ground;
    pen.fillRect(0, 0, out.width, out.height);
    for (const layer of [canvas, overlay]) pen.drawImage(layer, 0, 0);
    return out.toDataURL("image/png");
  }

  // Where the eye is, and to put it there.
  const camera = () => ({ turn: { ...turn }, shift: [...shift], zoom });
  const look = from => { ({ turn, shift, zoom } = from); soon(); };

  return { draw, hold, picture, camera, look };
}
