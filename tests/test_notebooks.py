"""Every notebook runs from its first cell to its last, and is kept as a reader wants to find it."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
IMPORTS = {"lab", "matplotlib", "os", "polars"}

every_notebook = pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem
)


@pytest.mark.notebook
@every_notebook
def test_it_runs(path, monkeypatch):
    monkeypatch.setenv("LAB_NOTEBOOK_GAMES", "20")
    NotebookClient(nbformat.read(path, 4), timeout=600, kernel_name="python3").execute()


@every_notebook
def test_it_imports_the_lab_and_little_else(path):
    for cell in code_cells(path):
        source = "".join(line for line in cell.source.splitlines(True) if line[0] != "%")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= IMPORTS
            elif isinstance(node, ast.ImportFrom):
                assert node.module.split(".")[0] in IMPORTS


@every_notebook
def test_it_was_kept_after_one_whole_run(path):
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells[1:])
    kinds = {output.output_type for cell in cells for output in cell.outputs}
    assert kinds <= {"display_data", "execute_result", "stream"}
    assert str(FOLDER.parent) not in path.read_text(encoding="utf-8")


def code_cells(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
