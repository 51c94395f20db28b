//! Many objects that move.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::DVec3;
use sudar::broad::{Filter, Handle, Mobility, Seek};
use sudar::many::{Among, CollisionManager, Group, Object};
use sudar::motion::Motion;
use sudar::query::{RayHit, SweepOptions};
use sudar::{Pose, Ray};

use crate::arrays::{Columns, array};
use crate::body::{PyBody, matrices, refused};
use crate::call::{Control, watched};
use crate::input::{Poses, number, point, whole_numbers};
use crate::numbers::Numbers;
use crate::pairs::{distances, penetrations, sweeps};
use crate::single::ray_hits;

/// A collision manager whose objects are known by numbers; the package gives them names.
#[pyclass(name = "Manager", module = "sudar._core", frozen)]
pub struct PyManager {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    manager: CollisionManager,
    numbers: Numbers,
    groups: Vec<Group>,
}

impl State {
    fn handle(&self, number: i64) -> PyResult<Handle> {
        self.numbers.handle(u64::try_from(number).unwrap_or(u64::MAX))
    }

    /// What a search is about.
    fn seek(&self, (category, mask, without): &Sought) -> impl Seek<Object> + use<> {
        let left_out: Vec<Handle> = without.iter().filter_map(|number| self.handle(*number).ok()).collect();
        let mut filter = Filter::new(*category, *mask);
        move |handle: Handle, object: &Object| filter.wants(handle, object) && !left_out.contains(&handle)
    }

    fn group(&self, group: i64) -> PyResult<Group> {
        let known = usize::try_from(group).ok().and_then(|i| self.groups.get(i).copied());
        known.ok_or_else(|| refused("there is no such group"))
    }

    fn among(&self, among: (u8, i64, i64)) -> PyResult<Among> {
        Ok(match among {
            (0, ..) => Among::All,
            (1, object, _) => Among::Object(self.handle(object)?),
            (2, one, _) => Among::Group(self.group(one)?),
            (_, one, other) => Among::Between(self.group(one)?, self.group(other)?),
        })
    }
}

/// Category and mask of a search, and the numbers of objects that it leaves out.
type Sought = (u32, u32, Vec<i64>);

type Fields<'py> = PyResult<Bound<'py, PyTuple>>;
/// What is nearest and the fields of how near it is, or None; whether that is certain.
type Near<'py, K> = PyResult<(Option<(K, Bound<'py, PyTuple>)>, bool)>;

impl PyManager {
    /// Waits for other threads without the interpreter, which one of them may need to end.
    fn locked<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All objects, by their numbers.
    fn objects(&self, py: Python<'_>) -> Vec<(u64, sudar::query::Body, Pose)> {
        self.locked(py, |state| {
            let object = |(handle, object): (Handle, &Object)| {
                (state.numbers.of(handle), object.body.clone(), object.pose)
            };
            let mut objects: Vec<_> = state.manager.iter().map(object).collect();
            objects.sort_by_key(|(number, ..)| *number);
            objects
        })
    }

    /// A search that an interrupt stops.
    fn searched<T: Send>(
        &self,
        py: Python<'_>,
        control: Option<Control<'_>>,
        search: impl FnOnce(&mut State) -> T + Send,
    ) -> PyResult<T> {
        let control = control.unwrap_or_default();
        let budget = control.budget;
        let is_short = control.is_plain() && self.locked(py, |state| state.manager.len()) < 64;
        let work = |state: &mut State| {
            state.manager.set_budget(budget);
            search(state)
        };
        if is_short {
            return Ok(self.locked(py, work));
        }
        watched(py, &control, None, |_, _| work(&mut self.lock()))
    }
}

fn pair_array<'py, T: Element>(py: Python<'py>, pairs: Vec<[T; 2]>) -> PyResult<Bound<'py, PyAny>> {
    let count = pairs.len();
    Ok(array(py, pairs.into_iter().flatten().collect(), &[count], &[2])?.into_any())
}

fn list_array(py: Python<'_>, list: Vec<u64>) -> PyResult<Bound<'_, PyAny>> {
    let count = list.len();
    Ok(array(py, list, &[count], &[])?.into_any())
}

#[pymethods]
impl PyManager {
    #[new]
    fn new(clearance: f64, broad_phase: &str) -> PyResult<Self> {
        let phase = sudar_classic::broad_phase(broad_phase).map_err(refused)?;
        let manager = CollisionManager::with_broad_phase(clearance, phase).map_err(refused)?;
        Ok(Self { state: Mutex::new(State { manager, ..State::default() }) })
    }

    /// Adds an object and gives its number.
    #[pyo3(signature = (name, body, pose, fixed, category, mask, margin))]
    #[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
    fn insert(
        &self,
        py: Python<'_>,
        name: String,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
        fixed: bool,
        category: u32,
        mask: u32,
        margin: f64,
    ) -> PyResult<u64> {
        let object =
            object(name, body, Poses::one(pose, "pose")?, fixed, Filter::new(category, mask), margin);
        self.locked(py, |state| {
            let handle = state.manager.insert(object).map_err(refused)?;
            Ok(state.numbers.add(handle))
        })
    }

    /// Adds objects that belong together and gives their numbers and that of the group; `ignored` are pairs of their
    /// places in the list.
    fn insert_group(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        bodies: Vec<Bound<'_, PyBody>>,
        poses: &Bound<'_, PyAny>,
        ignored: Vec<[usize; 2]>,
    ) -> PyResult<(usize, Vec<u64>)> {
        let poses = Poses::new(Some(poses), "poses")?.all("poses")?;
        if names.len() != bodies.len() || names.len() != poses.len() {
            return Err(PyValueError::new_err("a group needs as many names and poses as bodies"));
        }
        let named = names.into_iter().zip(&bodies).zip(poses);
        let objects =
            named.map(|((name, body), pose)| object(name, body, pose, false, Filter::ALL, 0.0)).collect();
        self.locked(py, |state| {
            let group = state.manager.insert_group(objects, &ignored).map_err(refused)?;
            let members = state.manager.group(group).map_err(refused)?.to_vec();
            state.groups.push(group);
            Ok((
                state.groups.len() - 1,
                members.into_iter().map(|member| state.numbers.add(member)).collect(),
            ))
        })
    }

    fn remove(&self, py: Python<'_>, number: i64) -> PyResult<()> {
        self.locked(py, |state| {
            let handle = state.handle(number)?;
            state.numbers.remove(handle);
            state.manager.remove(handle).map(drop).map_err(refused)
        })
    }

    /// Removes all objects of a group, and the group.
    fn remove_group(&self, py: Python<'_>, group: i64) -> PyResult<()> {
        self.locked(py, |state| {
            let group = state.group(group)?;
            for handle in state.manager.group(group).map_err(refused)?.to_vec() {
                state.numbers.remove(handle);
            }
            state.manager.remove_group(group).map(drop).map_err(refused)
        })
    }

    /// The pairs that were together in the last step, by their numbers; also those of objects removed since.
    fn together<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pair_array(py, self.locked(py, |state| state.numbers.pairs(state.manager.pairs_together())))
    }

    /// Takes pairs for those that were together in the last step.
    fn set_together(&self, py: Python<'_>, pairs: Vec<[i64; 2]>) -> PyResult<()> {
        self.locked(py, |state| {
            let pair = |[a, b]: &[i64; 2]| Ok([state.handle(*a)?, state.handle(*b)?]);
            let pairs = pairs.iter().map(pair).collect::<PyResult<Vec<_>>>()?;
            state.manager.set_pairs_together(&pairs).map_err(refused)
        })
    }

    fn set_poses(
        &self,
        py: Python<'_>,
        objects: &Bound<'_, PyAny>,
        poses: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let objects = whole_numbers(objects, "objects", &[])?;
        let poses = Poses::new(Some(poses), "poses")?;
        let all = poses.all("poses")?;
        // One pose goes with one object also without a leading dimension.
        self.locked(py, |state| {
            let handles = objects.iter().map(|n| state.handle(*n)).collect::<PyResult<Vec<_>>>()?;
            state.manager.set_poses(&handles, &all).map_err(refused)
        })
    }

    fn set_pose(&self, py: Python<'_>, number: i64, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = Poses::one(Some(pose), "pose")?;
        self.locked(py, |state| {
            let handle = state.handle(number)?;
            state.manager.set_pose(handle, pose).map_err(refused)
        })
    }

    fn replace(&self, py: Python<'_>, number: i64, body: &Bound<'_, PyBody>) -> PyResult<()> {
        let body = body.get().body.clone();
        self.locked(py, |state| {
            let handle = state.handle(number)?;
            state.manager.replace(handle, body).map_err(refused)
        })
    }

    fn poses<'py>(&self, py: Python<'py>, objects: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let objects = whole_numbers(objects, "objects", &[])?;
        let poses = self.locked(py, |state| {
            let pose = |n: &i64| -> PyResult<Pose> {
                Ok(state.manager.object(state.handle(*n)?).map_err(refused)?.pose)
            };
            objects.iter().map(pose).collect::<PyResult<Vec<_>>>()
        })?;
        matrices(py, &poses)
    }

    fn body(&self, py: Python<'_>, number: i64) -> PyResult<PyBody> {
        self.locked(py, |state| {
            let body = state.manager.object(state.handle(number)?).map_err(refused)?.body.clone();
            Ok(PyBody { body })
        })
    }

    fn set_filter(&self, py: Python<'_>, number: i64, category: u32, mask: u32) -> PyResult<()> {
        self.locked(py, |state| {
            let handle = state.handle(number)?;
            state.manager.set_filter(handle, Filter::new(category, mask)).map_err(refused)
        })
    }

    /// Makes a pair one that is never looked at, or one that is again.
    fn ignore(&self, py: Python<'_>, a: i64, b: i64, ignored: bool) -> PyResult<()> {
        self.locked(py, |state| {
            let (a, b) = (state.handle(a)?, state.handle(b)?);
            let done = if ignored { state.manager.ignore(a, b) } else { state.manager.unignore(a, b) };
            done.map_err(refused)
        })
    }

    /// Ignores all pairs that are together now, and gives them.
    #[pyo3(signature = (among, control))]
    fn ignore_touching<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.searched(py, control, |state| {
            let found = state.manager.ignore_touching(state.among(among)?).found;
            Ok::<_, PyErr>(state.numbers.pairs(&found))
        })?;
        pair_array(py, found?)
    }

    #[getter]
    fn clearance(&self, py: Python<'_>) -> f64 {
        self.locked(py, |state| state.manager.clearance())
    }

    #[setter]
    fn set_clearance(&self, py: Python<'_>, clearance: f64) -> PyResult<()> {
        self.locked(py, |state| state.manager.set_clearance(clearance).map_err(refused))
    }

    /// Pairs that began to be together, that stay, that ended, and that are undecided, since the last step.
    #[pyo3(signature = (control=None))]
    fn step<'py>(&self, py: Python<'py>, control: Option<Control<'py>>) -> Fields<'py> {
        let lists = self.searched(py, control, |state| {
            let found = state.manager.step();
            let lists = [&found.began, &found.stayed, &found.ended, &found.undecided];
            let lists = lists.map(|list| state.numbers.pairs(list));
            state.numbers.end_step();
            lists
        })?;
        PyTuple::new(py, lists.into_iter().map(|list| pair_array(py, list)).collect::<PyResult<Vec<_>>>()?)
    }

    /// Whether any pair is together: that pair, or None; and whether that is certain.
    #[pyo3(signature = (among, control))]
    fn first(
        &self,
        py: Python<'_>,
        among: (u8, i64, i64),
        control: Option<Control<'_>>,
    ) -> PyResult<(Option<[u64; 2]>, bool)> {
        self.searched(py, control, |state| {
            let found = state.manager.first_collision(state.among(among)?);
            Ok((found.found.map(|pair| state.numbers.pair(pair).0), found.complete))
        })?
    }

    /// Pairs that are together; those that are undecided.
    #[pyo3(signature = (among, control))]
    fn touching_pairs<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        let [found, undecided] = self.searched(py, control, |state| {
            let found = state.manager.pairs_touching(state.among(among)?);
            Ok::<_, PyErr>([&found.found, &found.undecided].map(|pairs| state.numbers.pairs(pairs)))
        })??;
        PyTuple::new(py, [pair_array(py, found)?, pair_array(py, undecided)?])
    }

    /// Pairs that are together with their contacts: pairs, where the contacts of each begin and the last end, points,
    /// normals, depths, features; undecided pairs.
    #[pyo3(signature = (among, control))]
    fn collisions<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        let (found, undecided) = self.searched(py, control, |state| {
            let found = state.manager.collisions(state.among(among)?);
            Ok::<_, PyErr>((state.numbers.ordered(found.found), state.numbers.pairs(&found.undecided)))
        })??;
        let (pairs, lists): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut starts = vec![0_i64];
        let mut all = Vec::new();
        for contacts in lists {
            all.extend(contacts);
            starts.push(all.len() as i64);
        }
        let fields = Columns::default()
            .point(all.iter().map(|c| c.point_a))
            .point(all.iter().map(|c| c.point_b))
            .point(all.iter().map(|c| c.normal))
            .float(all.iter().map(|c| c.depth))
            .pair(all.iter().map(|c| c.features))
            .into_tuple(py, &[all.len()])?;
        let count = starts.len();
        let begin = [pair_array(py, pairs)?, array(py, starts, &[count], &[])?.into_any()];
        let end = [pair_array(py, undecided)?];
        PyTuple::new(py, begin.into_iter().chain(fields.iter()).chain(end).collect::<Vec<_>>())
    }

    /// Pairs within a tolerance and their distances; undecided pairs.
    #[pyo3(signature = (among, tolerance, control))]
    fn within<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        tolerance: f64,
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        number("tolerance", tolerance)?;
        let (found, undecided) = self.searched(py, control, |state| {
            let found = state.manager.within(state.among(among)?, tolerance).map_err(refused)?;
            Ok::<_, PyErr>((state.numbers.ordered(found.found), state.numbers.pairs(&found.undecided)))
        })??;
        let (pairs, gaps): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let fields = distances(&gaps).into_tuple(py, &[gaps.len()])?;
        let (first, last) = (pair_array(py, pairs)?, pair_array(py, undecided)?);
        PyTuple::new(py, std::iter::once(first).chain(fields.iter()).chain([last]).collect::<Vec<_>>())
    }

    /// The nearest pair and its distance, or None; whether it is certain that it is the nearest.
    #[pyo3(signature = (among, control))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        control: Option<Control<'py>>,
    ) -> Near<'py, [u64; 2]> {
        let (found, complete) = self.searched(py, control, |state| {
            let found = state.manager.nearest(state.among(among)?);
            Ok::<_, PyErr>((found.found.map(|near| state.numbers.ordered_one(near)), found.complete))
        })??;
        let near = found.map(|(pair, gap)| Ok::<_, PyErr>((pair, distances(&[gap]).into_tuple(py, &[])?)));
        Ok((near.transpose()?, complete))
    }

    /// The two convex objects that are deepest in each other, and how they are, or None.
    #[pyo3(signature = (among, control))]
    fn deepest<'py>(
        &self,
        py: Python<'py>,
        among: (u8, i64, i64),
        control: Option<Control<'py>>,
    ) -> PyResult<Option<([u64; 2], Bound<'py, PyTuple>)>> {
        let found = self.searched(py, control, |state| {
            let found = state.manager.deepest(state.among(among)?);
            Ok::<_, PyErr>(found.map(|deep| state.numbers.ordered_one(deep)))
        })??;
        found.map(|(pair, deep)| Ok((pair, penetrations(&[deep]).into_tuple(py, &[])?))).transpose()
    }

    /// The convex object that one more convex body is deepest in, and how that body is in it, or None.
    #[pyo3(signature = (body, pose, control))]
    fn deepest_in<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        control: Option<Control<'py>>,
    ) -> PyResult<Option<(u64, Bound<'py, PyTuple>)>> {
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        let found = self.searched(py, control, |state| {
            let found = state.manager.deepest_in(body.at(&pose), Filter::ALL);
            found.map(|(handle, deep)| (state.numbers.of(handle), deep))
        })?;
        found.map(|(number, deep)| Ok((number, penetrations(&[deep]).into_tuple(py, &[])?))).transpose()
    }

    /// The objects that one more body touches; those that are undecided.
    #[pyo3(signature = (body, pose, seek, control))]
    fn touching<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        let [found, undecided] = self.searched(py, control, |state| {
            let found = state.manager.touching(body.at(&pose), state.seek(&seek));
            [&found.found, &found.undecided].map(|list| state.numbers.list(list))
        })?;
        PyTuple::new(py, [list_array(py, found)?, list_array(py, undecided)?])
    }

    /// The first object that one more body touches, or None; whether that is certain.
    #[pyo3(signature = (body, pose, seek, control))]
    fn first_touching<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> PyResult<(Option<u64>, bool)> {
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        self.searched(py, control, |state| {
            let found = state.manager.first_touching(body.at(&pose), state.seek(&seek));
            (found.found.map(|handle| state.numbers.of(handle)), found.complete)
        })
    }

    /// Pairs (number here, number there) of objects of two managers that touch, at most one with `first`; those that
    /// are undecided.
    #[pyo3(signature = (other, first, control))]
    fn touching_other<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyManager>,
        first: bool,
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        let objects = other.get().objects(py);
        let found = self.searched(py, control, |state| {
            let (mut pairs, mut open) = (Vec::new(), Vec::new());
            for (number, body, pose) in &objects {
                if first {
                    let one = state.manager.first_touching(body.at(pose), Filter::ALL);
                    pairs.extend(one.found.map(|handle| [state.numbers.of(handle), *number]));
                    if !pairs.is_empty() {
                        break;
                    }
                    open.extend((!one.complete).then_some([u64::MAX, *number]));
                } else {
                    let all = state.manager.touching(body.at(pose), Filter::ALL);
                    pairs.extend(state.numbers.list(&all.found).into_iter().map(|i| [i, *number]));
                    open.extend(state.numbers.list(&all.undecided).into_iter().map(|i| [i, *number]));
                }
            }
            (pairs, open)
        })?;
        PyTuple::new(py, [pair_array(py, found.0)?, pair_array(py, found.1)?])
    }

    /// The nearest pair (number here, number there) of objects of two managers and the distance of the one there from
    /// the one here, or None; whether that is certain.
    #[pyo3(signature = (other, control))]
    fn nearest_other<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyManager>,
        control: Option<Control<'py>>,
    ) -> Near<'py, [u64; 2]> {
        let objects = other.get().objects(py);
        let (best, complete) = self.searched(py, control, |state| {
            let mut best: Option<([u64; 2], sudar::query::Distance)> = None;
            let mut complete = true;
            for (number, body, pose) in &objects {
                let found = state.manager.nearest_to(body.at(pose), Filter::ALL);
                complete &= found.complete;
                let Some(near) = found.found else { continue };
                if best.as_ref().is_none_or(|(_, known)| near.distance.interval.upper < known.interval.upper)
                {
                    best = Some(([state.numbers.of(near.object), *number], near.distance));
                }
            }
            (best, complete)
        })?;
        let near = best.map(|(pair, gap)| Ok::<_, PyErr>((pair, distances(&[gap]).into_tuple(py, &[])?)));
        Ok((near.transpose()?, complete))
    }

    /// The objects within a tolerance of one more body, and their distances from it; those that are undecided.
    #[pyo3(signature = (body, pose, tolerance, seek, control))]
    fn near<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        tolerance: f64,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> Fields<'py> {
        number("tolerance", tolerance)?;
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        let (mut found, undecided) = self.searched(py, control, |state| {
            let found = state.manager.near(body.at(&pose), tolerance, state.seek(&seek)).map_err(refused)?;
            let near = found.found.iter().map(|near| (state.numbers.of(near.object), near.distance));
            Ok::<_, PyErr>((near.collect::<Vec<_>>(), state.numbers.list(&found.undecided)))
        })??;
        found.sort_by_key(|(number, _)| *number);
        let (objects, gaps): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let fields = distances(&gaps).into_tuple(py, &[gaps.len()])?;
        let (first, last) = (list_array(py, objects)?, list_array(py, undecided)?);
        PyTuple::new(py, std::iter::once(first).chain(fields.iter()).chain([last]).collect::<Vec<_>>())
    }

    /// The object nearest to one more body and its distance, or None; whether that is certain.
    #[pyo3(signature = (body, pose, seek, control))]
    fn nearest_to<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> Near<'py, u64> {
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        let (found, complete) = self.searched(py, control, |state| {
            let found = state.manager.nearest_to(body.at(&pose), state.seek(&seek));
            (found.found.map(|near| (state.numbers.of(near.object), near.distance)), found.complete)
        })?;
        let near =
            found.map(|(number, gap)| Ok::<_, PyErr>((number, distances(&[gap]).into_tuple(py, &[])?)));
        Ok((near.transpose()?, complete))
    }

    /// The first object on a ray and the hit, or None; whether that is certain.
    #[pyo3(signature = (origin, direction, most, seek, control))]
    #[expect(clippy::type_complexity, reason = "the fields of a hit")]
    fn ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        most: f64,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> PyResult<(Option<(u64, f64, [f64; 3], [f64; 3], u32)>, bool)> {
        number("max", most)?;
        let ray = Ray::new(point(origin, "origin")?, point(direction, "direction")?).map_err(refused)?;
        self.searched(py, control, |state| {
            let found = state.manager.ray(&ray, most, state.seek(&seek));
            let xyz = DVec3::to_array;
            let hit = found.found.map(|(handle, hit)| {
                (state.numbers.of(handle), hit.t, xyz(&hit.point), xyz(&hit.normal), hit.feature)
            });
            (hit, found.complete)
        })
    }

    /// All objects on a ray in its order with parameters, points, normals and features; whether none is missing.
    #[pyo3(signature = (origin, direction, most, seek, control))]
    fn ray_all<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        most: f64,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>, bool)> {
        number("max", most)?;
        let ray = Ray::new(point(origin, "origin")?, point(direction, "direction")?).map_err(refused)?;
        let (hits, complete) = self.searched(py, control, |state| {
            let found = state.manager.ray_all(&ray, most, state.seek(&seek));
            let numbered = |(handle, hit): (Handle, RayHit)| (state.numbers.of(handle), hit);
            (found.found.into_iter().map(numbered).collect::<Vec<_>>(), found.complete)
        })?;
        let (numbers, hits): (Vec<_>, Vec<_>) = hits.into_iter().unzip();
        Ok((list_array(py, numbers)?, ray_hits(&hits).into_tuple(py, &[hits.len()])?, complete))
    }

    /// The first object that a moving body meets and when, or None.
    #[pyo3(signature = (body, pose, pose_end, delta, seek, control))]
    #[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        pose: Option<&Bound<'py, PyAny>>,
        pose_end: Option<&Bound<'py, PyAny>>,
        delta: f64,
        seek: Sought,
        control: Option<Control<'py>>,
    ) -> PyResult<Option<(u64, Bound<'py, PyTuple>)>> {
        number("delta", delta)?;
        let body = &body.get().body;
        let motion = Motion::between(&Poses::one(pose, "pose")?, &Poses::one(pose_end, "pose_end")?);
        let options = SweepOptions::within(delta);
        let found = self.searched(py, control, |state| {
            let found = state.manager.sweep(body.moving(&motion), state.seek(&seek), &options);
            found.map(|(handle, sweep)| (state.numbers.of(handle), sweep))
        })?;
        found.map(|(number, sweep)| Ok((number, sweeps(&[sweep]).into_tuple(py, &[])?))).transpose()
    }
}

fn object(
    name: String,
    body: &Bound<'_, PyBody>,
    pose: Pose,
    fixed: bool,
    filter: Filter,
    margin: f64,
) -> Object {
    let mobility = if fixed { Mobility::Static } else { Mobility::Moving };
    Object { mobility, filter, margin, ..Object::new(name, body.get().body.clone(), pose) }
}
