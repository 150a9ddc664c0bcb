"""What the pictures of all games share: colours, text, and the document round the marks."""

from collections.abc import Iterable

INK, PALE, GROUND = "#23292f", "#79838d", "#ffffff"
COLOURS = ("#0b62a8", "#c2500a")
"""By seat."""
TINTS = ("#e9f2fa", "#fdf0e6")
"""Of places that are a seat's own."""
NEUTRAL = "#f4f4f1"
FONT = "font-family='system-ui,-apple-system,Segoe UI,Noto Sans,sans-serif'"


def document(width: float, height: float, marks: Iterable[str]) -> str:
    """An SVG document that needs nothing else, of marks that lie one upon the other."""
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
        f"role='img' text-anchor='middle' {FONT}>"
        f"<rect width='100%' height='100%' fill='{GROUND}'/>{''.join(marks)}</svg>\n"
    )


def caption(
    x: float, y: float, text: str, fill: str, size: int, bold: bool = False, anchor: str = ""
) -> str:
    """A text on the base line y; its middle is at x, or its `anchor` (start, end)."""
    weight = " font-weight='700'" if bold else ""
    anchor = f" text-anchor='{anchor}'" if anchor else ""
    place = f"x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{fill}'"
    return f"<text {place}{weight}{anchor}>{text}</text>"
