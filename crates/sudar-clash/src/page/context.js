// All parts of the file as one grey picture, made once: their triangles, small parts first, and boxes for what is too much.
const context = (() => {
  // So many triangles, counting each instance, and so many boxes.
  const TRIANGLES = 250000, BOXES = 3000;
  const bounds = parts.length ? parts.map(part => part.bounds).reduce(join) : { min: [0, 0, 0], max: [0, 0, 0] };
  const from = mid(bounds);

  // Points of triangles and of lines, and for each part its share of both: first and number of points.
  function made() {
    const size = i => meshes.get(i)?.kept ?? 0;
    const order = parts.map((_, i) => i).filter(i => size(i) > 0).sort((i, j) => size(i) - size(j) || i - j);
    const shares = new Map(), faces = [], lines = [];
    let triangles = 0, facePoints = 0, linePoints = 0;
    const add = (i, face, line) => {
      shares.set(i, { faces: [facePoints, face.length / 3], lines: [linePoints, line.length / 3] });
      faces.push(face); lines.push(line);
      facePoints += face.length / 3; linePoints += line.length / 3;
    };
    for (const i of order) {
      if (triangles + size(i) > TRIANGLES) break;
      const m = meshes.get(i), v = meshes.placed(i, from), whole = m.kept === m.triangles;
      triangles += size(i);
      add(i, meshes.points(v, m.t), whole ? meshes.points(v, meshes.edges(m)) : Float32Array.from(boxEdges(parts[i].bounds, from)));
    }
    const boxed = parts.map((_, i) => i).filter(i => !shares.has(i) && parts[i].triangles > 0).sort((i, j) => diagonal(parts[j].bounds) - diagonal(parts[i].bounds));
    for (const i of boxed.slice(0, BOXES)) add(i, new Float32Array(0), Float32Array.from(boxEdges(parts[i].bounds, from)));
    const cut = [...shares.keys()].filter(i => size(i) > 0 && size(i) < parts[i].triangles).length;
    return { faces: joined(faces, 3 * facePoints), lines: joined(lines, 3 * linePoints), shares, said: said(boxed.length, cut) };
  }

  function joined(lists, length) {
    const out = new Float32Array(length);
    let at = 0;
    for (const list of lists) { out.set(list, at); at += list.length; }
    return out;
  }

  function said(boxed, cut) {
    const around = `Around them: ${whole(parts.length)} parts`, out = [];
    if (boxed) out.push(`${whole(boxed)} as boxes, too many triangles to show` + (boxed > BOXES ? `, of which the ${whole(BOXES)} largest` : ""));
    if (cut) out.push(`${whole(cut)} in part, near clashes, and as boxes`);
    return out.length ? `${around}, ${out.join("; ")}` : "";
  }

  // The points of the parts for which this holds: the first and the number of each run.
  function ranges(made, which, has) {
    const ranges = [];
    for (const [i, { [which]: [first, count] }] of made.shares) {
      if (!count || !has(i)) continue;
      const last = ranges.at(-1);
      if (last && last[0] + last[1] === first) last[1] += count;
      else ranges.push([first, count]);
    }
    return ranges;
  }

  return { bounds, from, made, ranges };
})();
