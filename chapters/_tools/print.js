/* What `pdf.py` does to pages in the browser: `paper.take` makes of a page what is to be
 * printed of it, and `paper.settle` and `paper.number` finish the document of them all. */
const paper = (() => {
  const FORMULA = "\u2061"; // begins the words of a formula; invisible, and pdf.py knows it
  const DROPPED = "script, noscript, button, .headerlink, .controls, .spoken, "
    + ".program, details.above-input, #jb-print-docs-body, .on-screen";
  const WHOLE = ".cell, .cell_input, .cell_output, table, .admonition, .unfolded, ol, ul";
  const REFERENCES = ["for", "headers", "aria-labelledby", "aria-describedby",
    "aria-controls", "aria-owns"];

  /** A formula in one line: u_i^p, (a + b)/2, √(log T). */
  function linear(node) {
    const parts = () => [...node.children].map(linear);
    const grouped = text => [...text].length > 1 ? `(${text})` : text;
    const small = () => parts().map(grouped);
    switch (node.localName) {
      case "mfrac": return small().join("/");
      case "msqrt": return `√(${parts().join("")})`;
      case "mroot": return small().join(" root of degree ");
      case "msub": case "munder": return small().join("_");
      case "msup": case "mover": return small().join("^");
      case "msubsup": case "munderover": {
        const [base, low, high] = small();
        return `${base}_${low}^${high}`;
      }
      case "mtr": case "mlabeledtr": return parts().join(" ") + "; ";
      case "mo": return ` ${node.textContent} `;
      case "mspace": return " ";
      case "annotation": return "";
      default: return node.children.length ? parts().join("") : node.textContent;
    }
  }
  function spoken(math) {
    return linear(math).replace(/[\u2061-\u2064]/g, "").replace(/\s+([,;.)])/g, "$1")
      .replace(/([(|])\s+/g, "$1").replace(/\s+/g, " ").trim();
  }

  /** Formulas are pictures with words; their places in the tags are their backgrounds. */
  function describe(article) {
    article.querySelectorAll("mjx-container").forEach(formula => {
      const hidden = formula.querySelector("mjx-assistive-mml");
      if (!hidden) return;
      formula.setAttribute("role", "img");
      formula.setAttribute("aria-label", FORMULA + spoken(hidden.firstElementChild));
      formula.removeAttribute("tabindex");
      hidden.remove();
    });
  }

  /** What folds is printed open, under its title. */
  function unfold(article) {
    article.querySelectorAll(".toggle-hidden")
      .forEach(e => e.classList.remove("toggle-hidden"));
    article.querySelectorAll("details").forEach(folded => {
      const open = document.createElement("div"), title = document.createElement("p");
      const summary = folded.querySelector("summary");
      open.className = "unfolded";
      title.className = "admonition-title";
      title.append(...(summary.querySelector(":not(svg)") || summary).childNodes);
      summary.remove();
      open.append(title, ...folded.childNodes);
      folded.replaceWith(open);
    });
  }

  /** What links lead to is the heading: a section may begin on the page before. */
  function moveIds(article) {
    article.querySelectorAll("section > :is(h1, h2, h3, h4)").forEach(heading => {
      const section = heading.parentElement;
      for (let e = heading.previousElementSibling; e; e = heading.previousElementSibling) {
        heading.prepend(e);
      }
      if (section.id) {
        heading.id = section.id;
        section.removeAttribute("id");
      }
    });
  }

  /** Ids that no other chapter has, and links that lead to ids of the one document. */
  function rename(article, name, home) {
    const here = id => `${name}--${id}`;
    article.querySelectorAll("*").forEach(e => {
      for (const { name: key, value } of [...e.attributes]) {
        if (key === "id") e.id = here(value);
        else if (REFERENCES.includes(key)) {
          e.setAttribute(key, value.trim().split(/\s+/).map(here).join(" "));
        } else if (value.includes("url(#")) {
          e.setAttribute(key, value.replace(/url\(#([^)]+)\)/g, (_, id) => `url(#${here(id)})`));
        } else if (/href$/.test(key) && e.localName !== "a" && value.startsWith("#")) {
          e.setAttribute(key, "#" + here(value.slice(1)));
        }
      }
    });
    article.querySelectorAll("a[href]").forEach(link => {
      const url = new URL(link.getAttribute("href"), document.baseURI);
      if (!url.href.startsWith(home)) return;
      const page = url.href.slice(home.length).split("#")[0].replace(/\.html$/, "");
      const id = decodeURIComponent(url.hash.slice(1).split("?")[0]); // no explorer's state
      link.setAttribute("href", "#" + page + (id && "--" + id));
    });
    article.querySelectorAll("img").forEach(e => { e.src = e.src; });
  }

  function words(heading) {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll("mjx-container").forEach(
      e => e.replaceWith(e.getAttribute("aria-label").slice(1)));
    return copy.textContent.trim();
  }
  function withoutIds(heading) {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll("[id]").forEach(e => e.removeAttribute("id"));
    return copy.innerHTML;
  }

  /** The article of the open page, its headings and the style sheets that it needs. */
  function take(name, home) {
    const article = document.querySelector("article");
    describe(article);
    article.querySelectorAll(DROPPED).forEach(e => e.remove());
    unfold(article);
    moveIds(article);
    rename(article, name, home);
    const headings = [...article.querySelectorAll(":is(h1, h2, h3)[id]")].map(
      e => ({ level: Number(e.tagName[1]), id: e.id, words: words(e), html: withoutIds(e) }));
    const sheets = [...document.styleSheets].map(sheet => sheet.href
      ? `<link rel="stylesheet" href="${sheet.href}">`
      : `<style>${[...sheet.cssRules].map(rule => rule.cssText).join("\n")}</style>`);
    return { html: article.innerHTML, headings, sheets };
  }

  /** Links that lead somewhere, nothing wider than the paper, and what stays whole. */
  async function settle(page) {
    await document.fonts.ready;
    document.querySelectorAll('a[href^="#"]').forEach(link => {
      const id = link.getAttribute("href").slice(1), chapter = id.split("--")[0];
      if (document.getElementById(id)) return;
      if (document.getElementById(chapter)) link.setAttribute("href", "#" + chapter);
      else link.removeAttribute("href");
    });
    document.querySelectorAll('a[href^="file:"]').forEach(e => e.removeAttribute("href"));
    // Chromium notes the place of an id on paper if a link leads to it.
    document.querySelectorAll("article [id]:is(h1, h2, h3)").forEach(heading => {
      const link = document.createElement("a");
      link.href = "#" + heading.id;
      heading.append(link);
    });
    document.querySelectorAll(
      "div.math, .cell_output, .pst-scrollable-table-container, .explorer .charts"
    ).forEach(e => {
      if (e.scrollWidth > e.clientWidth + 1) e.style.zoom = e.clientWidth / e.scrollWidth;
    });
    document.querySelectorAll(WHOLE).forEach(e => {
      e.classList.toggle("whole", e.offsetHeight < page / 5);
    });
  }

  /** Write the numbers of pages into the contents. */
  function number(pages) {
    document.querySelectorAll("nav.index a").forEach(link => {
      link.querySelector(".number").textContent = pages[link.getAttribute("href").slice(1)];
    });
  }

  return { take, settle, number };
})();
