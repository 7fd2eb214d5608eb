"""The benchmarks' own arithmetic, table and plot; what they measure is run by hand."""

import xml.etree.ElementTree as ET

import pytest

from tests.bench import ground, plot, rows, saves
from tests.bench.clock import in_turn, share
from tests.bench.rows import Budget, Row

SAVE = Row(
    what="save, 50 findings",
    ours=12.3,
    beside={"floor": 6.15, "a <peer> & co": 1_234.0, "nothing": 0.0},
    note="of 20 runs",
    budgets=[rows.most("≤ 2 × floor", 2.0, 2.0), rows.most("≤ 5 ms", 12.3, 5.0)],
)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_is_the_power_of_the_growth(power: float) -> None:
    assert saves.exponent({size: 3 * size**power for size in saves.SIZES}) == pytest.approx(power)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0.00"), (0.1234, "0.12"), (9.999, "10.00"), (12.345, "12.3"), (99.95, "100.0"), (12345.6, "12,346")],
)
def test_figures_have_three_digits_that_count(value: float, said: str) -> None:
    assert rows.number(value) == said


def test_the_table_tells_ratios_and_whether_budgets_are_met() -> None:
    assert rows.line(SAVE) == (
        "| save, 50 findings | 12.3 ms | floor 6.15 ms (2.00 ×) · a <peer> & co 1,234 ms (0.01 ×) · nothing 0 ms;"
        " of 20 runs | ≤ 2 × floor: 2.00 ✓, ≤ 5 ms: 12.3 ✗ |"
    )
    assert rows.as_json([SAVE])[0]["budgets"] == [
        {"text": "≤ 2 × floor: 2.00", "met": True},
        {"text": "≤ 5 ms: 12.3", "met": False},
    ]


def test_the_plot_is_whole_and_draws_each_figure_to_scale() -> None:
    alone = Row(what="alone", ours=1.0, budgets=[Budget(text="none", met=True)])
    drawn = ET.fromstring(plot.svg([SAVE, alone]))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in drawn.iter(f"{space}text")]
    assert texts[:3] == ["save, 50 findings", rows.OURS, "12.3 ms"]
    assert "a <peer> & co" in texts
    assert "alone" not in texts, "nothing stands beside it"
    bars = [bar for bar in drawn.iter(f"{space}rect") if bar.get("class") != "ground"]
    widths = [int(bar.get("width", "0")) for bar in bars]
    assert widths[2] == max(widths)
    assert widths[3] == 1, "a bar of nothing can still be seen"
    height = int(drawn.get("viewBox", "").split()[3])
    assert all(float(bar.get("y", "0")) + 16 < height for bar in bars)


def test_a_curve_is_straight_where_the_time_is_a_power_of_the_size() -> None:
    points = [Row(what="save", ours=float(size), at=size, beside={"floor": 5.0}) for size in (50, 500, 5_000)]
    drawn = ET.fromstring(plot.svg([*points, SAVE]))
    circles = list(drawn.iter("{http://www.w3.org/2000/svg}circle"))
    x, y = ([float(each.get(name, "0")) for each in circles] for name in ("cx", "cy"))
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert y[1] - y[0] == pytest.approx(y[2] - y[1], abs=0.2)
    assert y[0] > y[2], "more is higher"
    assert len({y[3], y[4], y[5]}) == 1
    labels = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert f"{rows.OURS}: 50.0 · 500 · 5,000" in labels


def test_what_is_compared_is_taken_in_turn_and_the_first_round_does_not_count() -> None:
    order: list[str] = []
    times = in_turn(2, {name: lambda name=name: order.append(name) for name in "ab"})  # type: ignore[misc]
    assert order == ["a", "b"] * 3
    assert {name: len(each.wall) for name, each in times.items()} == {"a": 2, "b": 2}
    assert in_turn(3, {"own": lambda: 7.0})["own"].median == 7.0
    assert share(range(1, 101), 99) == 100


def test_findings_of_the_benchmarks_are_ones_that_a_save_takes_and_differ() -> None:
    made = [ground.fields(number) for number in range(2_000)]
    assert len({each["title"] for each in made}) == len(made)
    assert all(len(each["title"]) <= 100 and 300 < len(each["body"]) < 1_200 for each in made)
