# Reads a STEP file with the Python package cascadio and prints it as GLB. Arguments: the file, the most bytes of memory.
import os, sys, tempfile, threading

def fail(why):
    print(why, file=sys.stderr, flush=True)
    os._exit(1)

def parent_ended():
    while os.read(0, 4096):
        pass
    os._exit(13)

threading.Thread(target=parent_ended, daemon=True).start()
path, memory = sys.argv[1], int(sys.argv[2])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except (ImportError, ValueError, OSError):
    pass
try:
    import cascadio
except ImportError as error:
    fail(f"the Python package cascadio is not there ({error}); install it with: pip install cascadio")
with tempfile.TemporaryDirectory() as folder:
    source, target = path, os.path.join(folder, "out.glb")
    if path.lower().endswith(".gz"):
        import gzip
        source = os.path.join(folder, "in.step")
        with gzip.open(path) as packed, open(source, "wb") as plain:
            plain.write(packed.read())
    # OpenCASCADE speaks on the standard output: it is kept for the result.
    result = os.dup(1)
    os.dup2(2, 1)
    try:
        # Deviations from the true surface: a hundredth of a millimetre, and half a radian between facets.
        cascadio.step_to_glb(source, target, 0.01, 0.5)
        with open(target, "rb") as stream, os.fdopen(result, "wb") as output:
            output.write(stream.read())
    except Exception as error:
        fail(f"cascadio cannot read it: {error}; export it again".replace("\n", " "))
# Without waiting for the thread that reads.
os._exit(0)
