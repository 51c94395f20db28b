// The laboratory in headless Chromium: it loads, moves on key presses, switches demos, answers a finger, and says nothing
// on the console. Arguments: address of the page; optionally a file for the figures. Needs playwright-core.
import { chromium } from 'playwright-core';
import { appendFileSync, readFileSync } from 'node:fs';

const [address, figures] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking',
    '--disable-component-update', '--no-first-run'],
});
const complaints = [];

function check(is, what) {
  if (!is) throw new Error(`page: ${what}`);
  console.log(`page: ${what}`);
}

// Colours of a picture, each part in sixteen steps: one that shows something has many.
async function colors(page, base) {
  return page.evaluate(async (base) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, image.width, image.height).data;
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4));
    return found.size;
  }, base);
}

// Mean milliseconds from picture to picture.
async function frames(page, seconds) {
  return page.evaluate((seconds) => new Promise((done) => {
    let count = 0;
    const start = performance.now();
    const frame = () => {
      count++;
      const passed = performance.now() - start;
      if (passed < seconds * 1000) requestAnimationFrame(frame); else done(passed / count);
    };
    requestAnimationFrame(frame);
  }), seconds);
}

async function open(hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const start = Date.now();
  await page.goto(address + hash);
  await page.waitForFunction(() => document.getElementById('notice').hidden, null, { timeout: 60000 });
  // A step of a demo, or the gallery after two pictures.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { page, seconds: (Date.now() - start) / 1000 };
}

// Pixels in which two pictures differ, counted by the page itself.
async function differing(page, a, b) {
  return page.evaluate(async ([a, b]) => {
    const data = async (base) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [p, q] = [await data(a), await data(b)];
    let count = 0;
    for (let i = 0; i < p.length; i += 4) if (p[i] !== q[i] || p[i + 1] !== q[i + 1] || p[i + 2] !== q[i + 2]) count++;
    return count;
  }, [a, b]);
}

const shot = async (page) => (await page.screenshot()).toString('base64');
const wait = (page, ms) => page.waitForTimeout(ms);

async function steps(page, seconds) {
  const before = await page.evaluate(() => [window.lab.steps(), performance.now()]);
  await wait(page, seconds * 1000);
  const after = await page.evaluate(() => [window.lab.steps(), performance.now()]);
  return (after[0] - before[0]) / ((after[1] - before[1]) / 1000);
}

try {
  const { page, seconds } = await open('#explorer&objects=200&speed=0');
  check(seconds < 5, `usable ${seconds.toFixed(1)} s after it begins to load (mark: 5 s)`);
  await wait(page, 1000);
  const begin = await shot(page);
  await page.keyboard.down('w');
  await wait(page, 1500);
  await page.keyboard.up('w');
  await wait(page, 1500);
  const walked = await shot(page);
  check(await differing(page, begin, walked) > 20000, 'W walks');
  await page.mouse.move(800, 300);
  // The first button may take hold of a box.
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(900, 310, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await wait(page, 500);
  const turned = await shot(page);
  check(await differing(page, walked, turned) > 20000, 'dragging turns the view');
  await page.keyboard.press('F1');
  await wait(page, 700);
  check(await differing(page, turned, await shot(page)) > 5000, 'F1 shows the keys');
  await page.evaluate(() => { location.hash = '#theatre&play=rooms'; });
  await wait(page, 1500);
  const theatre = await shot(page);
  check(await differing(page, turned, theatre) > 50000, 'a link opens another demo');
  check(await page.evaluate(() => location.hash) === '#theatre&play=rooms', 'the address stays that of the demo');
  await page.evaluate(() => { location.hash = '#nowhere'; });
  await wait(page, 1000);
  check(await differing(page, theatre, await shot(page)) > 1000, 'a wrong link is said in the window');
  // Each demo begins, moves, and answers F1.
  for (const demo of ['picking', 'box-cubes', 'box-objects', 'box-fighter', 'joints', 'joints&scene=car', 'joints&scene=cloth', 'joints&scene=robot', 'level', 'tunnel', 'bumper-cars', 'microscope', 'robot-arm', 'gearbox']) {
    await page.evaluate((demo) => { location.hash = `#${demo}`; }, demo);
    await wait(page, 1500);
    const rate = await steps(page, 1);
    const shown = await shot(page);
    await page.keyboard.press('F1');
    await wait(page, 700);
    check(rate > 1 && await differing(page, shown, await shot(page)) > 5000, `${demo} runs and shows its keys`);
  }
  await page.evaluate(() => { location.hash = '#explorer&objects=77'; });
  await wait(page, 3000);
  await page.evaluate(() => { location.hash = '#explorer'; });
  await wait(page, 1500);
  check(await page.evaluate(() => location.hash) === '#explorer&objects=77', 'what was chosen is kept');
  await page.close();

  const saver = await open('#microscope');
  await wait(saver.page, 1000);
  const told = saver.page.waitForEvent('download', { timeout: 20000 });
  await saver.page.keyboard.press('s');
  const saved = await (await told).path();
  check(readFileSync(saved, 'utf8').startsWith('{"query":"intersects"'), 'a line of replay is saved');
  await saver.page.close();

  const finger = await open('#explorer&objects=200&speed=0', { hasTouch: true });
  await wait(finger.page, 1000);
  const untouched = await shot(finger.page);
  const touch = await finger.page.context().newCDPSession(finger.page);
  const at = (type, x) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 300 }] });
  await at('touchStart', 700);
  for (const x of [720, 760, 800, 840]) { await at('touchMove', x); await wait(finger.page, 60); }
  await at('touchEnd');
  await wait(finger.page, 500);
  check(await differing(finger.page, untouched, await shot(finger.page)) > 20000, 'a finger turns the view');
  // The keys that walk have become buttons at the edges of the picture.
  const before = await shot(finger.page);
  // The button "left" of the left hand; the picture begins beside the controls.
  await at('touchStart', 310);
  await wait(finger.page, 1500);
  await at('touchEnd');
  await wait(finger.page, 500);
  check(await differing(finger.page, before, await shot(finger.page)) > 20000, 'a finger on a button walks');
  await finger.page.close();

  // A visitor who has seen nothing is shown about; Escape leads to the gallery, whose pictures are drawn.
  const times = [];
  for (const [width, height] of [[1280, 720], [390, 844]]) {
    const { page } = await open('', { viewport: { width, height } });
    await wait(page, 1500);
    const first = await shot(page);
    check(await colors(page, first) > 40, `a tour begins at ${width} x ${height}`);
    check(await page.evaluate(() => location.hash) === '', 'the address names no demo during the tour');
    await page.keyboard.press('Escape');
    await wait(page, 4000);
    const gallery = await shot(page);
    check(await differing(page, first, gallery) > 50000, 'Escape ends the tour');
    check(await colors(page, gallery) > 60, `the gallery has its pictures at ${width} x ${height}`);
    times.push([`gallery, ${width} x ${height}`, await frames(page, 2)]);
    for (const demo of ['box-cubes', 'microscope', 'picking']) {
      await page.evaluate((demo) => { location.hash = `#${demo}`; }, demo);
      await wait(page, 1500);
      check(await colors(page, await shot(page)) > 20, `${demo} is seen at ${width} x ${height}`);
      times.push([`${demo}, ${width} x ${height}`, await frames(page, 2)]);
    }
    await page.reload();
    await page.waitForFunction(() => document.getElementById('notice').hidden, null, { timeout: 60000 });
    await page.close();
  }
  times.forEach(([what, ms]) => console.log(`page: ${what}: ${ms.toFixed(0)} ms from picture to picture`));

  // A tenth of what a window must do.
  const rows = [];
  for (const [what, hash] of [
    ['20 000 slow boxes, drawing off', '#explorer&objects=20000&resolution=off&container=43.4&spread=0.2&speed=0.6&drawing=off'],
    ['5 000 fast boxes, drawing off', '#explorer&objects=5000&resolution=off&container=27.4&spread=0.2&speed=30&drawing=off'],
  ]) {
    const { page } = await open(hash);
    await wait(page, 2000);
    const rate = await steps(page, 4);
    rows.push(`| ${what} | ${rate.toFixed(1)} | 60 |`);
    console.log(`page: ${what}: ${rate.toFixed(1)} steps a second`);
    await page.close();
  }
  if (figures) {
    const version = browser.version();
    appendFileSync(figures, `\nIn Chromium ${version} without a graphics card: usable after ${seconds.toFixed(1)} s (mark: 5 s).\n\n`
      + `| | steps a second | mark |\n|---|---:|---:|\n${rows.join('\n')}\n\n`
      + `| | ms from picture to picture |\n|---|---:|\n`
      + times.map(([what, ms]) => `| ${what} | ${ms.toFixed(0)} |\n`).join(''));
  }
  check(complaints.length === 0, `nothing on the console ${complaints.join(' | ')}`);
} finally {
  await browser.close();
}
