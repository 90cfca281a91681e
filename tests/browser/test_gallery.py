"""The gallery: twelve pictures to take home, and links that lead somewhere."""

import struct
from xml.etree import ElementTree

import pytest
from reader import HTML

PAGE = "chapters/gallery.html"
BARE = 0.99  # a share of white pixels above which nothing was drawn
# Chromium takes ten downloads a second from a page and drops the next without a word.
# No person clicks so fast, and a browser that is driven shall not either.
A_CLICK = 120  # ms
# How much of a picture is white, and how many of its pixels let something through.
LOOK = """async bytes => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const {data} = pen.getImageData(0, 0, image.width, image.height);
    let white = 0, clear = 0;
    for (let i = 0; i < data.length; i += 4) {
        white += data[i] + data[i + 1] + data[i + 2] === 765;
        clear += data[i + 3] < 255;
    }
    return {white: 4 * white / data.length, clear};
}"""


def test_there_are_twelve_pictures_with_words_and_files(page_at):
    page = page_at("http", PAGE).page
    boxes = page.locator(".picture")
    assert boxes.count() == 12
    for box in boxes.all():
        name = box.get_attribute("id").removeprefix("picture-")
        assert len(box.locator("[role=img]").get_attribute("aria-label")) > 50
        assert box.locator(".ink svg").first.is_visible()
        assert box.locator("p").first.inner_text()
        figure, code = name.replace("_", "-"), box.get_by_text("its code")
        assert box.locator(f"a[href$='#{figure}']").inner_text().startswith("Fig. ")
        assert code.get_attribute("href").endswith(f"#code-{figure}")
        assert box.locator("a[download]").count() == 2
        assert box.locator("button").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["http", "file"])
def test_every_picture_can_be_had_as_png_and_as_svg(kind, scheme, fresh_page_at):
    visit = fresh_page_at(kind, PAGE, scheme=scheme)
    page = visit.page
    for box in page.locator(".picture").all():
        page.wait_for_timeout(A_CLICK)
        with page.expect_download() as told:
            box.locator("button").click()
        name = box.get_attribute("id").removeprefix("picture-")
        assert told.value.suggested_filename == f"{name}.png"
        png = told.value.path().read_bytes()
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", png[16:24])
        file = HTML / "_static" / "gallery" / f"{name}.svg"
        drawn = ElementTree.parse(file).getroot()
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
        *_, across, down = map(float, drawn.get("viewBox").split())
        assert width >= 1000
        assert width / height == pytest.approx(across / down, rel=0.01)
        if scheme == "dark":  # on white paper all the same
            seen = page.evaluate(LOOK, list(png)) if name == "fig-question" else None
            assert seen is None or (0.5 < seen["white"] < BARE and not seen["clear"])
        link = box.locator("a", has_text="SVG").get_attribute("href")
        assert (HTML / "chapters" / link).resolve() == file.resolve()
    assert not visit.complaints, "\n".join(visit.complaints)


@pytest.mark.parametrize("kind", ["http", "file"])
def test_the_code_of_a_picture_is_unfolded_where_it_is_linked_to(kind, fresh_page_at):
    visit = fresh_page_at(kind, PAGE)
    page = visit.page
    page.locator(".picture").nth(3).get_by_text("its code").click()
    page.wait_for_url("**/reduction.html#code-fig-price")
    code = page.locator("#code-fig-price pre")
    code.wait_for(state="visible")
    assert "bounds.price(" in code.inner_text()
    assert not visit.complaints, "\n".join(visit.complaints)


def test_without_a_script_there_is_the_svg(browser, address):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address["http"] + PAGE)
        assert page.locator(".picture button").first.is_hidden()
        assert page.locator(".picture a[href$='fig-question.svg']").is_visible()
