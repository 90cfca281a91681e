/* A picture of the gallery as a PNG: the drawing on the page, its panels side by side
 * again, in the colours of the light page, on white. Without this script there is the
 * SVG. */
(function () {
  "use strict";
  var FINE = 4; // pixels of the PNG for a point of the drawing
  var colours = JSON.parse(document.currentScript.dataset.colours);

  /** The panels of a drawing, which share their coordinates, as one SVG. */
  function sheet(box) {
    var panels = Array.from(box.querySelectorAll(".ink > svg"));
    var boxes = panels.map(function (panel) { return panel.viewBox.baseVal; });
    var last = boxes[boxes.length - 1], width = last.x + last.width, height = last.height;
    var inks = Object.keys(colours).map(function (name) {
      return name + ":" + colours[name];
    }).join(";");
    var drawn = panels.map(function (panel) {
      return new XMLSerializer().serializeToString(panel).replace(/^<svg[^>]*>|<\/svg>$/g, "");
    }).join("");
    return {
      width: FINE * width, height: FINE * height,
      text: "<svg xmlns='http://www.w3.org/2000/svg' width='" + FINE * width + "' height='"
        + FINE * height + "' viewBox='0 0 " + width + " " + height + "' style='" + inks
        + ";fill:var(--pst-color-text-base);stroke-linejoin:round'>"
        + "<rect width='100%' height='100%' style='fill:#fff'/>" + drawn + "</svg>"
    };
  }

  // Not toBlob, which waits until the page is idle, however long that takes.
  function save(name, canvas) {
    var link = document.createElement("a");
    link.href = canvas.toDataURL("image/png");
    link.download = name;
    link.click();
  }

  function draw(button) {
    var picture = sheet(button.closest(".picture")), image = new Image();
    image.onload = function () {
      var canvas = document.createElement("canvas");
      canvas.width = picture.width;
      canvas.height = picture.height;
      canvas.getContext("2d").drawImage(image, 0, 0, picture.width, picture.height);
      save(button.dataset.picture + ".png", canvas);
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture.text);
  }

  document.querySelectorAll(".picture button").forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () { draw(button); });
  });
})();
