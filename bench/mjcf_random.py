"""Random MJCF models: turned frames, nested classes, all sequences of Euler angles, several joints in a body."""

import random

TYPES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
JOINTS = [
    [],
    ["hinge"],
    ["hinge"] * 2,
    ["hinge"] * 3,
    ["slide"],
    ["slide", "hinge"],
    ["hinge", "slide"],
    ["ball"],
    ["slide", "slide", "ball"],
    ["slide", "slide", "hinge"],
    ["slide"] * 3,
]


class Model:
    """A model of a seed, as text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_degree = self.chance(0.5)
        self.classes = []
        self.bodies = 0
        defaults = f"<default>{self.some(0.4, self.geom_class)}{self.defaults('a')}{self.defaults('b')}</default>"
        bodies = "".join(self.body(0) for _ in range(self.random.choice([1, 2])))
        world = f'<worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody>'
        self.text = f"<mujoco>{self.compiler()}{defaults}{world}</mujoco>"

    def chance(self, share):
        return self.random.random() < share

    def some(self, share, made):
        return made() if self.chance(share) else ""

    def numbers(self, count, lower=-1.0, upper=1.0):
        return " ".join(f"{self.random.uniform(lower, upper):.4f}" for _ in range(count))

    def angles(self, count, lower=-3.0, upper=3.0):
        scale = 57.3 if self.is_degree else 1.0
        return self.numbers(count, lower * scale, upper * scale)

    def compiler(self):
        sequence = "".join(self.random.choice("xyzXYZ") for _ in range(3))
        angle = "degree" if self.is_degree else "radian"
        text = f'<compiler angle="{angle}" eulerseq="{sequence}" balanceinertia="true"'
        text += self.some(0.3, lambda: f' boundinertia="{self.numbers(1, 0.01, 0.1)}"')
        text += self.some(0.3, lambda: f' settotalmass="{self.numbers(1, 1.0, 20.0)}"')
        text += self.some(0.3, lambda: f' inertiafromgeom="{self.random.choice(["true", "auto"])}"')
        return text + self.some(0.2, lambda: f' inertiagrouprange="0 {self.random.choice([1, 2])}"') + "/>"

    def orientation(self):
        ways = {
            "quat": lambda: self.numbers(4),
            "axisangle": lambda: f"{self.numbers(3)} {self.angles(1)}",
            "xyaxes": lambda: self.numbers(6),
            "zaxis": lambda: self.random.choice([self.numbers(3), "0 0 -1", "0 0 2"]),
            "euler": lambda: self.angles(3),
        }
        way = self.random.choice(["", *ways])
        return f' {way}="{ways[way]()}"' if way else ""

    def place(self):
        return f' pos="{self.numbers(3)}"{self.orientation()}'

    def framed(self, share, text):
        around = self.some(0.5, lambda: f' childclass="{self.random.choice(self.classes)}"')
        return f"<frame{self.place()}{around}>{text}</frame>" if self.chance(share) else text

    def weight(self):
        text = self.some(0.3, lambda: f' mass="{self.numbers(1, 0.1, 3.0)}"')
        text += self.some(0.3, lambda: f' density="{self.numbers(1, 10.0, 2000.0)}"')
        text += self.some(0.3, lambda: f' group="{self.random.choice([0, 1, 2, 3])}"')
        return text + self.some(0.3, lambda: f' contype="{self.random.choice([0, 1, 2, 3])}" conaffinity="1"')

    def geom_class(self):
        kind = self.some(0.8, lambda: f' type="{self.random.choice(list(TYPES))}"')
        return f'<geom{kind}{self.some(0.7, lambda: f""" size="{self.numbers(3, 0.05, 0.3)}" """)}{self.weight()}/>'

    def geom(self):
        kind = self.random.choice(list(TYPES))
        if kind != "sphere" and self.chance(0.4):
            shape = f' fromto="{self.numbers(6)}" size="{self.numbers(1, 0.05, 0.3)}"'
        else:
            shape = f' size="{self.numbers(TYPES[kind], 0.05, 0.3)}"{self.place()}'
        return self.framed(0.2, f'<geom type="{kind}"{self.named()}{shape}{self.weight()}/>')

    def named(self):
        return self.some(0.3, lambda: f' class="{self.random.choice(self.classes)}"')

    def joint(self, kind, name=""):
        if kind == "free":
            return self.random.choice(["<freejoint/>", '<joint type="free"/>'])
        text = f' type="{kind}"' if kind else ""
        axis = self.random.choice([self.numbers(3), "0 0 -1", "-1 0 0", "0 1 0"])
        text += self.some(0.7, lambda: f' axis="{axis}"') + self.some(0.6, lambda: f' pos="{self.numbers(3)}"')
        if kind == "ball":
            # A range of the class may begin beyond 0, where that of a ball joint begins.
            text += ' limited="false"'
        else:
            lower = self.random.uniform(-2.0, 0.5)
            scale = 57.3 if self.is_degree and kind != "slide" else 1.0
            ends = f"{lower * scale:.4f} {(lower + self.random.uniform(0.2, 2.0)) * scale:.4f}"
            text += self.some(0.6, lambda: f' range="{ends}"') + self.some(0.1, lambda: ' limited="false"')
            text += self.some(0.4, lambda: f' ref="{self.numbers(1, -0.5, 0.5)}"')
            text += self.some(0.3, lambda: f' stiffness="{self.numbers(1, 0.0, 5.0)}" springref="{self.numbers(1)}"')
            text += self.some(0.5, lambda: f' damping="{self.numbers(1, 0.0, 2.0)}"')
        return f"<joint{name}{text}/>"

    def defaults(self, name):
        self.classes.append(name)
        text = self.some(0.6, self.geom_class)
        text += self.some(0.6, lambda: self.joint(self.random.choice(["", "hinge", "slide"])))
        if len(name) < 4:
            text += "".join(self.defaults(f"{name}{k}") for k in range(self.random.choice([0, 1, 2])))
        return f'<default class="{name}">{text}</default>'

    def inertial(self):
        mass = f'mass="{self.numbers(1, 0.1, 3.0)}"'
        if self.chance(0.5):
            return f'<inertial{self.place()} {mass} diaginertia="{self.numbers(3, 0.1, 0.19)}"/>'
        full = f"{self.numbers(3, 0.2, 0.25)} {self.numbers(3, -0.02, 0.02)}"
        return f'<inertial pos="{self.numbers(3)}" {mass} fullinertia="{full}"/>'

    def body(self, depth):
        self.bodies += 1
        name = self.some(0.7, lambda: f' name="n{self.bodies}"')
        around = self.some(0.3, lambda: f' childclass="{self.random.choice(self.classes)}"')
        kinds = self.random.choice(JOINTS + [["free"]] * (2 if depth == 0 else 0))
        inner = "".join(
            self.joint(kind) if kind == "free" else self.framed(0.15, self.joint(kind, self.named())) for kind in kinds
        )
        inner += self.some(0.3, self.inertial)
        inner += "".join(self.geom() for _ in range(self.random.choice([1, 1, 2, 3])))
        for _ in range(self.random.choice([0, 1, 1, 2]) if depth < 4 else 0):
            below = self.framed(0.2, self.body(depth + 1))
            inner = inner + below if self.chance(0.8) else below + inner
        return f"<body{name}{self.place()}{around}>{inner}</body>"
