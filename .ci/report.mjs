// The page of `sudar clash --html` in headless Chromium: of the built-in gearbox, and of 3 025 clashes of beams with long
// names; and the page of a robot that goes along a path. It draws soon, red is where parts overlap, links, groups, reviews, section box and measuring work, and nothing
// overflows on a phone or on paper. Arguments: the sudar binary; optionally a folder for screenshots. Needs playwright-core.
import { chromium } from 'playwright-core';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [sudar, pictures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sudar-report-'));
const at = (name) => join(folder, name);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking',
    '--disable-component-update', '--no-first-run'],
});
const complaints = [];
const DESKTOP = { width: 1400, height: 900 }, PHONE = { width: 390, height: 844 };

function check(is, what) {
  if (!is) throw new Error(`report: ${what}`);
  console.log(`report: ${what}`);
}

function clash(...args) {
  const run = spawnSync(sudar, ['clash', ...args], { cwd: folder, encoding: 'utf8' });
  check(run.status === 0 || run.status === 1, `sudar clash ${args.join(' ')} ${run.stderr}`);
}

// ---- the model -----------------------------------------------------------------
const SIDE = 55;
const LONG = 'Pipe_Types_Standard_' + 'DN50x'.repeat(20);
function wallName(i) { return `Basic Wall:Bearing wall - 300 mm concrete C30/37:${1234567 + i}`; }
function beamName(i) { return i % 5 ? `IfcBeam HEB 240 S355 level 2 axis ${i}` : `${LONG}${i}`; }

// Walls along y that beams along x cross at a height of 0.2 to 0.3, beside a block that clashes with nothing.
function grid() {
  const lines = [];
  let first = 1;
  const box = (name, low, high) => {
    lines.push(`o ${name}`);
    for (let i = 0; i < 8; i++) lines.push('v ' + [0, 1, 2].map((k) => ((i >> k) & 1 ? high : low)[k]).join(' '));
    for (const face of [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]) {
      lines.push('f ' + face.map((corner) => first + corner).join(' '));
    }
    first += 8;
  };
  for (let i = 0; i < SIDE; i++) box(wallName(i), [i, -0.5, 0], [i + 0.2, SIDE, 0.3]);
  for (let i = 0; i < SIDE; i++) box(beamName(i), [-0.5, i, 0.2], [SIDE, i + 0.05, 0.35]);
  box('block far below', [20, 20, -9], [30, 30, -6]);
  return lines.join('\n') + '\n';
}

// ---- the page ------------------------------------------------------------------
async function open(name, { hash = '', viewport = DESKTOP, ...options } = {}) {
  const context = await browser.newContext({ viewport, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.on('console', (message) => { if (message.type() !== 'log') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`file://${at(name)}${hash}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.body?.dataset.ready, null, { timeout: 60000 });
  return page;
}

// The least of three times from the start of the navigation until the page is ready and has a picture.
async function soon(name) {
  let least = Infinity;
  for (let i = 0; i < 3; i++) {
    const page = await open(name);
    const ready = await page.evaluate(() => performance.now());
    check((await colours(page)).any > 1000, `${name}: a picture`);
    least = Math.min(least, ready);
    await page.context().close();
  }
  const mark = Number(process.env.SUDAR_FIRST_PICTURE ?? 2000);
  check(least < mark, `${name}: first picture after ${(least / 1000).toFixed(2)} s (mark: ${mark / 1000} s)`);
}

// How many pixels of the view have something, are grey, blue, orange or red, and the box around what is red.
function colours(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector('#view canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height), pen = copy.getContext('2d');
    pen.drawImage(canvas, 0, 0);
    const { data, width, height } = pen.getImageData(0, 0, copy.width, copy.height);
    const found = { any: 0, grey: 0, blue: 0, orange: 0, red: 0, wide: 0, tall: 0, width, height };
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, a] = data.slice(i, i + 4);
      if (!a) continue;
      found.any++;
      if (b > r + 60) found.blue++;
      else if (r > b + 60 && g > b + 30) found.orange++;
      else if (r > g + 80 && r > b + 60) {
        found.red++;
        const x = (i / 4) % width, y = Math.floor(i / 4 / width);
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      } else found.grey++;
    }
    return { ...found, wide: right - left, tall: bottom - top };
  });
}

const count = (page) => page.textContent('#count');
const shot = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, name) }); };
const drawn = (page, id) => page.waitForFunction((id) => document.getElementById('view').dataset.drawn === id, id);

async function looks() {
  // Clash 1524 is of wall 27 and beam 39: 55 m and 0.2 m wide, the beam 0.05 m.
  const page = await open('grid.html', { hash: '#clash-1524' });
  await drawn(page, '1524');
  check(await page.textContent('#chosen .a') === wallName(27) && await page.textContent('#chosen .b') === beamName(39), 'a link opens its clash');
  check(await page.locator('#clashes tr[aria-selected=true]').getAttribute('data-id') === '1524', 'its row is chosen and there');
  await shot(page, 'desktop.png');
  await page.click('[data-frame=parts]');
  const parts = await colours(page);
  // Both parts are 55 m long and fill the view; the mark at the point is nine pixels wide.
  check(parts.red > 0 && parts.wide < 0.05 * parts.width && parts.tall < 0.05 * parts.height, `only the overlap is red: ${parts.wide} × ${parts.tall} pixels of ${parts.width} × ${parts.height}`);
  await page.click('[data-frame=place]');
  const place = await colours(page);
  check(place.red > 100 && place.wide < 0.5 * place.width && place.blue > 300 && place.orange > 300, 'the place has both parts and the overlap');
  check(place.grey > 1000, `the parts around are there: ${place.grey} grey pixels`);
  await page.click('#context');
  const alone = await colours(page);
  check(alone.grey < 0.1 * place.grey && alone.red > 100, `and gone when the two are isolated: ${alone.grey}`);
  await page.click('#context');
  await addresses(page);
  await page.context().close();
}

async function addresses(page) {
  await page.fill('#search', 'axis 54');
  check(await count(page) === '55 of 3,025', 'a search lists what fits');
  await page.evaluate(() => { location.hash = '#clash-3'; });
  await drawn(page, '3');
  check(await page.inputValue('#search') === '' && await count(page) === '3,025 of 3,025', 'a filter hides nothing that a link names');
  await page.click('#clashes tbody tr >> nth=5');
  const third = await page.evaluate(() => location.hash);
  check(/^#clash-\d+$/.test(third) && third !== '#clash-3', 'the address follows the choice');
  await page.goBack();
  await drawn(page, '3');
  await page.goForward();
  await drawn(page, third.slice('#clash-'.length));
  check(true, 'back and forward choose again');
  await page.click('#link');
  await page.waitForFunction(() => document.getElementById('link').textContent !== 'Copy link');
  check(true, 'the link is copied');
}

// Two boxes of known corners, and a third of another material beside them.
function boxes() {
  const vertex = ([x, y, z]) => `v ${x} ${y} ${z}\n`;
  const box = (name, low, high, first) => `o ${name}\n` + [...Array(8).keys()].map((i) => vertex([0, 1, 2].map((k) => ((i >> k) & 1 ? high : low)[k]))).join('')
    + [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map((face) => 'f ' + face.map((i) => first + i).join(' ') + '\n').join('');
  return box('a', [0, 0, 0], [2, 1, 1], 1) + box('b', [1.5, 0.25, 0.25], [4, 0.75, 0.75], 9) + box('far', [0, 3, 0], [4, 4, 1], 17);
}

// Where a point is on the screen, of a view of a box: from yaw −0.85 and pitch 0.55, as far off as the box is long.
async function spotOf(page, point, [low, high]) {
  const view = await page.locator('#view').boundingBox(), room = 0.03 * Math.max(...low.map((x, k) => high[k] - x));
  const size = Math.hypot(...low.map((x, k) => high[k] - x + 2 * room)), aim = low.map((x, k) => (x + high[k]) / 2);
  const [cy, sy, cp, sp] = [Math.cos(-0.85), Math.sin(-0.85), Math.cos(0.55), Math.sin(0.55)];
  const [right, up, back] = [[-sy, cy, 0], [-cy * sp, -sy * sp, cp], [cy * cp, sy * cp, sp]];
  const [x, y, z] = [right, up, back].map((axis) => axis.reduce((sum, a, k) => sum + a * (point[k] - aim[k]), 0));
  const tall = 2.2 / Math.min(1, view.width / view.height), far = size - z;
  return [view.x + view.width / 2 + x * tall / far * view.height / 2, view.y + view.height / 2 - y * tall / far * view.height / 2];
}

// Section box, colours of what is around, and measuring.
async function tools() {
  const page = await open('boxes.html');
  await page.click('[data-frame=parts]');
  await page.click('#measure');
  for (const corner of [[0, 0, 1], [2, 1, 1]]) await page.mouse.click(...await spotOf(page, corner, [[0, 0, 0], [4, 1, 1]]));
  const said = await page.textContent('#measured');
  check(said.startsWith('2.2361 apart: x 2, y 1, z '), `two corners are measured: ${said}`);
  await page.click('#measure');
  const before = await colours(page);
  await page.click('#section summary');
  const slide = (name, value) => page.getByLabel(name, { exact: true }).fill(String(value));
  await slide('x from', 600);
  const cut = await colours(page);
  // The box reaches from 0 to 4 with a little room: beyond 0.6 of that part a, which ends at 2, is gone.
  check(cut.blue < 0.02 * before.blue && cut.orange > 0.2 * before.orange, `the section box cuts: blue ${before.blue} to ${cut.blue}, orange ${before.orange} to ${cut.orange}`);
  await page.click('#section button');
  check((await colours(page)).blue === before.blue, 'and is whole again');
  await page.click('[data-frame=all]');
  await page.selectOption('#way', 'kind');
  const shown = () => page.locator('#view').getAttribute('data-shown');
  check(/context/.test(await shown()), 'the part in no clash is around');
  await page.click('#legend .joined >> nth=-1 >> button >> nth=0');
  check(!/context/.test(await shown()), 'and hidden by its group');
  await page.click('#legend .joined >> nth=-1 >> button >> nth=1');
  check(/context/.test(await shown()), 'and shown alone');
  await page.context().close();
}

// The page of --watch: made anew when a file changes, with camera and filters as they were; a file half written is named.
async function watches() {
  writeFileSync(at('watched.obj'), boxes());
  const server = spawn(sudar, ['clash', 'watched.obj', '--watch'], { cwd: folder });
  try {
    const address = await new Promise((found, failed) => {
      server.stdout.on('data', (text) => { const said = /http:\S+/.exec(text); if (said) found(said[0]); });
      server.on('exit', () => failed(new Error('sudar clash --watch ended')));
    });
    const context = await browser.newContext({ viewport: DESKTOP });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    await page.waitForFunction(() => document.body?.dataset.ready && document.getElementById('watch'));
    await page.fill('#search', 'a');
    await page.click('[data-frame=parts]');
    await page.mouse.move(...await spotOf(page, [2, 0, 1], [[0, 0, 0], [4, 1, 1]]));
    await page.mouse.down();
    await page.mouse.move(1000, 500);
    await page.mouse.up();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const before = await colours(page);
    // A fourth box far below the third, so that the clash and the view of both parts stay as they are.
    writeFileSync(at('watched.obj'), boxes() + 'o fourth\nv 0 9 0\nv 1 9 0\nv 0 9 1\nf 25 26 27\n');
    await page.waitForFunction(() => document.getElementById('verdict')?.textContent.includes('4 parts') && document.body.dataset.ready);
    const after = await colours(page);
    check(await page.inputValue('#search') === 'a' && after.blue === before.blue && after.orange === before.orange, `a changed file is checked again; camera and filters stay: blue ${before.blue} and ${after.blue}`);
    writeFileSync(at('watched.obj'), boxes() + 'o fourth\nv 0 9 0\nf 25 26');
    await page.waitForFunction(() => document.getElementById('watch')?.textContent.includes('watched.obj'));
    check(/4 parts/.test(await page.textContent('#verdict')), `half a file is named, and the page stays: ${await page.textContent('#watch')}`);
    writeFileSync(at('watched.obj'), boxes());
    await page.waitForFunction(() => document.getElementById('verdict')?.textContent.includes('3 parts') && document.body.dataset.ready);
    check(await page.locator('#watch').isHidden(), 'and checked when it is whole');
    await context.close();
  } finally {
    server.removeAllListeners('exit');
    server.kill('SIGINT');
  }
}

// Groups, reviews and what the next check makes of them.
async function decides() {
  const page = await open('grid.html');
  await page.click('#group-table tbody tr >> nth=2');
  check(await count(page) === '55 of 3,025', 'a group lists its clashes');
  await page.click('#clashes thead input[type=checkbox]');
  await page.selectOption('#review-status', 'accepted');
  await page.fill('#review-assignee', 'Ana "A." Ø');
  await page.fill('#review-comment', "as drawn,\nsee C:\\plans 'B'");
  await page.click('#set-ticked');
  check(await page.locator('#reviews [data-name=accepted] b').textContent() === '55', 'a selection is accepted at once');
  await page.reload();
  await page.waitForFunction(() => document.body?.dataset.ready);
  check(await page.locator('#reviews [data-name=accepted] b').textContent() === '55', 'the browser keeps it');
  const download = page.waitForEvent('download');
  await page.click('#export');
  await (await download).saveAs(at('review.toml'));
  await page.context().close();
  clash('grid.obj', '--review', 'review.toml', '--html', 'next.html', '--out', 'next.json');
  const reviews = JSON.parse(readFileSync(at('next.json'), 'utf8')).clashes.map((one) => one.review);
  const accepted = reviews.filter((one) => one.status === 'accepted');
  check(accepted.length === 55 && reviews.every((one) => one.status !== 'new'), 'sudar clash --review takes what the page exported');
  check(accepted.every((one) => one.assignee === 'Ana "A." Ø' && one.comment === "as drawn,\nsee C:\\plans 'B'"), 'with assignee and comment');
  const next = await open('next.html');
  check(await next.locator('#reviews [data-name=accepted] b').textContent() === '55', 'and shows it in the next report');
  await next.context().close();
}

// Elements of text that are cut or stick out of the page, and pairs of boxes of text that overlap.
function faults(page, within) {
  return page.evaluate((within) => {
    const wide = document.documentElement.clientWidth, faults = [], boxes = [];
    const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && boxes.length < 1500) {
      const node = walker.currentNode, home = node.parentElement;
      if (!node.textContent.trim() || home.closest('option, #cuts') || !home.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // What is cut on purpose ends with its element.
      const cut = home.closest('.cut')?.getBoundingClientRect();
      for (const box of range.getClientRects()) {
        if (cut && box.bottom > cut.bottom + 1) continue;
        if (box.right > wide + 1 || box.left < -1) faults.push(`sticks out: ${node.textContent.slice(0, 40)}`);
        boxes.push({ box, text: node.textContent.slice(0, 40), home: home.closest('td, th') ?? home });
      }
    }
    const clips = (home, box) => { const scroll = home.closest('.scroll'); if (!scroll) return false; const c = scroll.getBoundingClientRect(); return box.top < c.top || box.bottom > c.bottom; };
    const seen = boxes.filter(({ home, box }) => !clips(home, box)).sort((s, t) => s.box.top - t.box.top);
    seen.forEach((s, i) => {
      for (let j = i + 1; j < seen.length && seen[j].box.top < s.box.bottom - 4; j++) {
        const t = seen[j];
        if (t.home !== s.home && t.box.left < s.box.right - 2 && s.box.left < t.box.right - 2) faults.push(`overlap: ${s.text} | ${t.text}`);
      }
    });
    return faults;
  }, within);
}

async function phone() {
  const page = await open('grid.html', { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than a phone');
  await page.tap('#groups summary');
  const found = await faults(page, 'main');
  check(!found.length, `no text overlaps or sticks out on a phone ${found.slice(0, 3).join('; ')}`);
  await page.tap('#clashes tbody tr >> nth=3');
  await page.waitForFunction(() => document.getElementById('stage').getBoundingClientRect().top < innerHeight / 2);
  check(true, 'a tap on a row brings the view');
  await shot(page, 'phone.png');
  const before = await colours(page), stage = await page.locator('#stage').boundingBox();
  const touch = await page.context().newCDPSession(page);
  const finger = (type, x) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: stage.y + 60 }] });
  await finger('touchStart', 100);
  for (const x of [140, 180, 230]) await finger('touchMove', x);
  await finger('touchEnd');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const after = await colours(page);
  check(after.any > 1000 && (after.blue !== before.blue || after.orange !== before.orange), 'a finger turns the view');
  await page.context().close();
}

async function paper() {
  const page = await open('grid.html', { viewport: { width: 703, height: 1000 } });
  await page.fill('#search', 'axis 1');
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelectorAll('#print figure img').length > 0 && document.querySelector('#print table.all'));
  const found = await faults(page, '#print');
  check(!found.length, `no text overlaps or is cut on paper ${found.slice(0, 3).join('; ')}`);
  const cut = await page.evaluate(() => [...document.querySelectorAll('#print td, #print th')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length);
  check(cut === 0, 'no column is cut on paper');
  check(await page.locator('#print figure').count() === 100, 'the worst 100 have pictures');
  const pdf = await page.pdf({ path: pictures ? join(pictures, 'paper.pdf') : undefined, format: 'A4' });
  const pages = (pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;
  check(pages > 8 && pages < 120, `a PDF of ${pages} pages and ${(pdf.length / 1e6).toFixed(1)} MB`);
  await page.context().close();
}

// An arm of two rods that turn about z gets past a post.
function robot() {
  const rod = '<collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>';
  const turn = '<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/>';
  const joint = (name, from, to, x) => `<joint name="${name}" type="revolute"><parent link="${from}"/><child link="${to}"/><origin xyz="${x} 0 0"/>${turn}</joint>`;
  writeFileSync(at('arm.urdf'), `<robot name="arm"><link name="base"/><link name="upper">${rod}</link><link name="lower">${rod}</link>${joint('shoulder', 'base', 'upper', 0)}${joint('elbow', 'upper', 'lower', 1)}</robot>`);
  writeFileSync(at('post.urdf'), '<robot name="post"><link name="post"><collision><origin xyz="1.2 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link></robot>');
  writeFileSync(at('ends.csv'), 'shoulder,elbow\n-0.8,0\n0.8,0\n');
  const run = spawnSync(sudar, ['robot', 'arm.urdf', '--scene', 'post.urdf', '--configs', 'ends.csv', '--plan', '--html', 'path.html'], { cwd: folder, encoding: 'utf8' });
  check(run.status === 0, `sudar robot --plan --html ${run.stderr}`);
}

async function moves() {
  const page = await open('path.html');
  const first = await colours(page), now = await page.textContent('#now');
  check(first.blue > 1000 && first.red > 10, 'the robot is there, and a line to what is nearest');
  check(/nearest: (upper|lower) and post, 0\.\d+ m/.test(await page.textContent('#near')), 'the nearest pair and its distance are said');
  await shot(page, 'path.png');
  await page.focus('#time');
  await page.keyboard.press('End');
  check(await page.textContent('#now') !== now, 'the slider moves the time');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('time').value) > 3 && document.getElementById('play').textContent === 'Pause');
  await page.click('#play');
  const later = await colours(page);
  check(later.blue > 1000 && await page.textContent('#play') === 'Play', 'it plays from the beginning, and stops');
  await page.setViewportSize(PHONE);
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing of the path is wider than a phone');
  await shot(page, 'path-phone.png');
  await page.context().close();
}

try {
  writeFileSync(at('grid.obj'), grid());
  robot();
  clash('--html', 'gearbox.html');
  clash('grid.obj', '--html', 'grid.html');
  writeFileSync(at('boxes.obj'), boxes());
  clash('boxes.obj', '--html', 'boxes.html');
  for (const [name, most] of [['gearbox.html', 1.5e6], ['grid.html', 15e6]]) {
    const size = statSync(at(name)).size;
    check(size <= most, `${name}: ${(size / 1e6).toFixed(2)} MB (mark: ${most / 1e6} MB)`);
    await soon(name);
  }
  await looks();
  await tools();
  await watches();
  await decides();
  await phone();
  await paper();
  await moves();
  check(complaints.length === 0, `nothing on the console ${complaints.slice(0, 3).join(' | ')}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
