"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = name => document.getElementById(name);
const canvas = byId("view").firstElementChild;
const color = name => {
  const text = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  return [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16) / 255);
};

// ---- what is drawn: triangles with their normals, in the frame of their link ----------------------------------------
const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
if (!gl) byId("near").textContent = "This browser draws no WebGL, so the view is left out.";
function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, "precision mediump float;" + fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  return made;
}
const surfaces = gl && program(
  "attribute vec3 p; attribute vec3 n; uniform mat4 m; uniform mat4 place; uniform vec3 eye; varying float lit;" +
  "void main() { vec4 at = place * vec4(p, 1.0); gl_Position = m * at; lit = 0.5 + 0.5 * abs(dot(normalize(mat3(place) * n), normalize(eye - at.xyz))); }",
  "uniform vec3 paint; varying float lit; void main() { gl_FragColor = vec4(paint * lit, 1.0); }");
const marks = gl && program(
  "attribute vec3 p; uniform mat4 m; void main() { gl_Position = m * vec4(p, 1.0); gl_Position.z -= 0.002 * gl_Position.w; gl_PointSize = 10.0; }",
  "uniform vec3 paint; void main() { gl_FragColor = vec4(paint, 1.0); }");

function buffer(numbers) {
  const made = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, made);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
  return made;
}
function faces({ vertices: v, triangles: t }) {
  const points = new Float32Array(3 * t.length), normals = new Float32Array(3 * t.length);
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(k => v.slice(3 * t[i + k], 3 * t[i + k] + 3));
    const [d, e] = [b, c].map(q => q.map((x, k) => x - a[k]));
    const n = [d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]], size = Math.hypot(...n) || 1;
    [a, b, c].forEach((q, k) => { points.set(q, 3 * (i + k)); normals.set(n.map(x => x / size), 3 * (i + k)); });
  }
  return { count: t.length, points: buffer(points), normals: buffer(normals) };
}
const shapes = gl ? data.shapes.map(shape => ({ ...shape, ...faces(shape) })) : [];
const line = gl && gl.createBuffer();

// Twelve numbers, the columns of a rotation and a translation, as a matrix.
const matrix = f => [f[0], f[1], f[2], 0, f[3], f[4], f[5], 0, f[6], f[7], f[8], 0, f[9], f[10], f[11], 1];
const UNIT = matrix([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
const times = (a, b) => a.map((_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[i % 4 + 4 * k] * b[4 * (i >> 2) + k], 0));

// ---- the camera ----------------------------------------------------------------------------------------------------
const view = { yaw: -0.9, pitch: 0.5, zoom: 1, center: data.center.slice() };
function camera() {
  const { yaw, pitch } = view, [c, s, d, e] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const back = [c * d, s * d, e], right = [-s, c, 0], up = [-c * e, -s * e, d];
  const far = 1.8 * data.size / view.zoom, eye = view.center.map((x, k) => x + far * back[k]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const look = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
  const aspect = canvas.width / canvas.height, f = 2.2 / Math.max(1, 1 / aspect), [near, end] = [far * 0.01, far + 20 * data.size];
  const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (end + near) / (near - end), -1, 0, 0, 2 * end * near / (near - end), 0];
  return { m: times(lens, look), eye, right, up, far };
}

// ---- drawing -------------------------------------------------------------------------------------------------------
let frame = 0, wanted = false;
function attribute(of, name, from) {
  const at = gl.getAttribLocation(of, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, from);
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
}
function draw() {
  wanted = false;
  if (!gl) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, canvas.clientWidth * ratio);
  canvas.height = Math.max(1, canvas.clientHeight * ratio);
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(...color("card"), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  const { m, eye } = camera(), poses = data.poses[frame], near = data.nearest[frame];
  const set = (of, name, values) => gl[values.length === 16 ? "uniformMatrix4fv" : "uniform3fv"](gl.getUniformLocation(of, name), ...(values.length === 16 ? [false, values] : [values]));
  gl.useProgram(surfaces);
  set(surfaces, "m", m);
  set(surfaces, "eye", eye);
  for (const shape of shapes) {
    set(surfaces, "place", shape.link === null ? UNIT : matrix(poses.slice(12 * shape.link, 12 * shape.link + 12)));
    set(surfaces, "paint", color(shape.link === null ? "object" : "robot"));
    attribute(surfaces, "p", shape.points);
    attribute(surfaces, "n", shape.normals);
    gl.drawArrays(gl.TRIANGLES, 0, shape.count);
  }
  if (!near) return;
  gl.useProgram(marks);
  set(marks, "m", m);
  set(marks, "paint", color("hit"));
  gl.bindBuffer(gl.ARRAY_BUFFER, line);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([...near.point, ...near.other_point]), gl.DYNAMIC_DRAW);
  attribute(marks, "p", line);
  gl.disable(gl.DEPTH_TEST);
  gl.drawArrays(gl.LINES, 0, 2);
  gl.drawArrays(gl.POINTS, 0, 2);
}
const again = () => { if (!wanted) { wanted = true; requestAnimationFrame(draw); } };

// ---- the least distance over time ----------------------------------------------------------------------------------
const chart = byId("chart");
function plot() {
  const ratio = window.devicePixelRatio || 1, pen = chart.getContext("2d");
  const [w, h] = [chart.width = chart.clientWidth * ratio, chart.height = chart.clientHeight * ratio];
  const most = Math.max(1e-9, ...data.nearest.map(near => near ? near.upper : 0)), last = data.times.length - 1;
  const x = i => last ? i / last * w : 0, y = i => h - 4 * ratio - (data.nearest[i] ? data.nearest[i].upper / most : 1) * (h - 20 * ratio);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name);
  pen.strokeStyle = css("robot");
  pen.lineWidth = 2 * ratio;
  pen.beginPath();
  for (let i = 0; i <= last; i++) pen.lineTo(x(i), y(i));
  pen.stroke();
  pen.strokeStyle = css("hit");
  pen.beginPath();
  pen.moveTo(x(frame), 0);
  pen.lineTo(x(frame), h);
  pen.stroke();
  pen.fillStyle = css("quiet");
  pen.font = `${11 * ratio}px system-ui, sans-serif`;
  pen.fillText(`least distance, up to ${most.toPrecision(3)} m`, 8 * ratio, 13 * ratio);
}

// ---- time ----------------------------------------------------------------------------------------------------------
const slider = byId("time"), end = data.times[data.times.length - 1];
slider.max = data.times.length - 1;
function show(i) {
  frame = Math.min(Math.max(i, 0), data.times.length - 1);
  slider.value = frame;
  byId("now").textContent = `${data.times[frame].toFixed(2)} of ${end.toFixed(2)} s`;
  const near = data.nearest[frame], text = byId("near");
  text.replaceChildren();
  if (near) {
    const length = document.createElement("b");
    length.textContent = `${near.upper.toFixed(4)} m`;
    text.append(`nearest: ${near.part} and ${near.other}, `, length);
  } else text.textContent = "nothing is near";
  byId("joints").textContent = data.joints.map((name, k) => `${name} ${data.configurations[frame][k].toFixed(3)}`).join("   ");
  again();
  plot();
}
let playing = null;
function stop() {
  playing = null;
  byId("play").textContent = "Play";
}
function play() {
  const from = frame === data.times.length - 1 ? 0 : frame;
  playing = { began: performance.now(), at: data.times[from] };
  byId("play").textContent = "Pause";
  const own = playing;
  const next = now => {
    if (playing !== own) return;
    const speed = Number(byId("speed").value);
    own.at += (now - own.began) / 1000 * speed;
    own.began = now;
    let i = data.times.findIndex(time => time > own.at);
    if (i < 0) i = data.times.length;
    show(i - 1);
    if (own.at >= end) return stop();
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
byId("play").addEventListener("click", () => playing ? stop() : play());
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
chart.addEventListener("click", event => { stop(); show(Math.round(event.offsetX / chart.clientWidth * (data.times.length - 1))); });

// ---- hands ---------------------------------------------------------------------------------------------------------
function turn(dx, dy) {
  view.yaw -= dx;
  view.pitch = Math.min(1.55, Math.max(-1.55, view.pitch + dy));
  again();
}
function move(dx, dy) {
  const { right, up, far } = camera();
  view.center = view.center.map((x, k) => x - far * (dx * right[k] - dy * up[k]));
  again();
}
const zoom = by => { view.zoom = Math.min(50, Math.max(0.05, view.zoom * by)); again(); };
canvas.addEventListener("pointerdown", event => canvas.setPointerCapture(event.pointerId));
canvas.addEventListener("pointermove", event => {
  if (!event.buttons) return;
  const size = Math.min(canvas.clientWidth, canvas.clientHeight);
  if (event.shiftKey || event.buttons === 2) move(event.movementX / size, event.movementY / size);
  else turn(event.movementX / size * 4, event.movementY / size * 4);
});
canvas.addEventListener("contextmenu", event => event.preventDefault());
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 500)); }, { passive: false });
canvas.addEventListener("keydown", event => {
  const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
  if (by) turn(...by);
  else if (event.key === "+") zoom(1.2);
  else if (event.key === "-") zoom(1 / 1.2);
  else return;
  event.preventDefault();
});
window.addEventListener("resize", () => show(frame));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(frame));
show(0);
// At once, so that a page that says it is ready has its picture.
draw();
document.body.dataset.ready = "yes";
