// A deck of the book: light or dark, slides that are as full as they may be, and the keys.
(() => {
  const LEAST = 20 / 28; // of the size of the text: no smaller than 20 pixels of 720
  const root = document.documentElement;
  const query = new URLSearchParams(location.search);

  /** ?theme=dark or ?theme=light, else what the system prefers; paper is light. */
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = query.get("theme") || (dark && !query.has("print-pdf") ? "dark" : "light");

  const isTooFull = body => body.scrollHeight > body.clientHeight + 1;

  /** How many pixels a point of a figure has. */
  const scale = figure => Math.min(...[...figure.querySelectorAll(".ink svg")].map(svg => {
    const { width, height } = svg.getBoundingClientRect(), box = svg.viewBox.baseVal;
    return Math.min(width / box.width, height / box.height);
  }));

  /** The words of a figure stand below it, or beside it if it is larger then. */
  function place(figure) {
    const below = scale(figure);
    figure.classList.add("beside");
    if (scale(figure) < 1.05 * below) figure.classList.remove("beside");
  }

  /** Make what is too much for its slide smaller, in small steps. */
  function fit(section) {
    const body = section.querySelector(".slide-body");
    const article = body.firstElementChild;
    article.querySelectorAll("div.math, .cell_output table, .cell_output pre").forEach(wide => {
      const room = article.clientWidth, width = wide.scrollWidth;
      if (width > room + 1) wide.style.zoom = room / width;
    });
    article.querySelectorAll("figure").forEach(place);
    for (let size = 0.98; size >= LEAST && isTooFull(body); size -= 0.02) {
      article.style.zoom = size;
    }
  }

  Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    center: false,
    display: "flex",
    hash: true,
    slideNumber: "c/t",
    transition: "none",
    backgroundTransition: "none",
    viewDistance: 1000, // all slides are laid out, so that all can be measured
    mobileViewDistance: 1000,
    scrollActivationWidth: null,
    pdfMaxPagesPerSlide: 1, // counted before slides are made to fit
    plugins: [RevealNotes],
  });
  Reveal.addKeyBinding({ keyCode: 68, key: "D", description: "Dark or light" }, () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });
  const onPaper = new Promise(done => Reveal.on("pdf-ready", done));
  Reveal.on("ready", async () => {
    await document.fonts.ready;
    if (Reveal.isPrintView()) await onPaper; // it moves the slides
    Reveal.getSlides().forEach(fit);
    Reveal.layout();
    root.dataset.ready = "";
  });
})();
