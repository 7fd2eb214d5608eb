"""The icon, drawn: an index on a card, legible on light and dark, with a mark when something needs attention."""

import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

CARD, LINES, MARK, RING = (31, 122, 140, 255), (255, 255, 255, 255), (214, 90, 20, 255), (255, 255, 255, 255)
WINDOWS = (16, 20, 24, 32, 40, 48, 64)  # pixels, from 100 % to 400 % scaling of the notification area
LINUX, MAC = 48, 44  # panels have 16 to 48 pixels; the menu bar has 22 points, twice the pixels on a fine display
_FINER = 8  # drawn this much larger, then scaled down: Pillow draws without smooth edges


def draw(size: int, *, attention: bool) -> "Image":
    """Return the icon with `size` pixels a side."""
    from PIL import Image, ImageDraw

    whole = size * _FINER
    image = Image.new("RGBA", (whole, whole), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)

    def part(*fractions: float) -> tuple[float, ...]:
        return tuple(fraction * whole for fraction in fractions)

    pen.rounded_rectangle(part(0.06, 0.06, 0.94, 0.94), radius=0.18 * whole, fill=CARD)
    for number, length in enumerate((0.78, 0.64, 0.72)):
        top = 0.25 + number * 0.19
        pen.rounded_rectangle(part(0.22, top, length, top + 0.1), radius=0.05 * whole, fill=LINES)
    if attention:
        pen.ellipse(part(0.5, 0.5, 1.0, 1.0), fill=RING)
        pen.ellipse(part(0.56, 0.56, 0.94, 0.94), fill=MARK)
    return image.resize((size, size), Image.Resampling.LANCZOS)


class WindowsIcon:
    """Every size drawn for itself: pystray saves one image as .ico, and Windows picks from that file."""

    def __init__(self, *, attention: bool) -> None:
        self._images = [draw(size, attention=attention) for size in WINDOWS]

    def save(self, file: IO[bytes], format: str) -> None:  # noqa: A002  # the name that pystray uses
        """Write the icon file."""
        largest = self._images[-1]
        sizes = [image.size for image in self._images]
        largest.save(file, format=format, sizes=sizes, append_images=self._images[:-1])


def for_system(*, attention: bool) -> "Image | WindowsIcon":
    """Return what pystray takes as an icon on this system."""
    if sys.platform == "win32":
        return WindowsIcon(attention=attention)
    return draw(MAC if sys.platform == "darwin" else LINUX, attention=attention)
