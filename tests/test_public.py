import subprocess
import sys
from pathlib import Path

import pytest

import lab

HEAVY = {"joblib", "matplotlib", "numba", "numpy", "optuna", "polars", "pyarrow", "scipy"}


@pytest.mark.parametrize("name", lab.__all__)
def test_every_public_name_is_there(name):
    assert getattr(lab, name) is not None
    assert name in dir(lab)


def test_version_and_unknown_names():
    assert lab.__version__[0].isdecimal()
    with pytest.raises(AttributeError, match="module 'lab' has no attribute 'simulat'"):
        lab.simulat  # noqa: B018


def test_importing_the_lab_costs_nothing():
    code = f"import lab, sys; print({HEAVY} & set(sys.modules) or '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_no_module_hides_a_public_name():
    """To import `lab.x` makes it the attribute x of the package, whatever it was before."""
    rooms = {place.stem for place in Path(lab.__file__).parent.iterdir()}
    assert not rooms & set(lab.__all__)
