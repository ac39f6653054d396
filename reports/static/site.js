// Draws the figures of the page when they come near the screen, and lets buttons zoom them.
"use strict";
(() => {
  const DAY = 86400000;
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const config = { responsive: true, displayModeBar: false, scrollZoom: false, doubleClick: "reset" };
  const drawn = new Map();

  const figureOf = (plot) => JSON.parse(document.getElementById(plot.dataset.figure).textContent);
  const time = (text) => Date.parse(text.replace(" ", "T") + (text.length > 10 ? "Z" : ""));
  const text = (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

  async function draw(plot) {
    if (drawn.has(plot)) return drawn.get(plot);
    const { data, layout } = figureOf(plot);
    const narrow = plot.clientWidth < 560;
    layout.dragmode = touch ? false : "zoom";
    if (narrow) shrink(data, layout);
    const ready = Plotly.newPlot(plot, data, layout, config).then(() => {
      const { xaxis, yaxis } = plot.layout;
      plot.home = { x: xaxis.range.slice(), y: yaxis.range.slice() };
      offerZoom(plot);
    });
    drawn.set(plot, ready);
    return ready;
  }

  // On a phone marks and labels shrink with the figure.
  function shrink(data, layout) {
    layout.legend.font = { size: 11 };
    for (const name of ["yaxis", "yaxis2"]) if (layout[name]) layout[name].title.font = { size: 11 };
    for (const one of data) {
      if (one.marker && one.marker.size) one.marker.size *= 0.75;
      if (one.textfont) one.textfont.size = 10;
    }
  }

  function offerZoom(plot) {
    const bar = plot.closest("figure").querySelector(".zoom");
    const says = bar.querySelector("output");
    bar.hidden = false;
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const range = button.dataset.view ? view(plot, button.dataset.view) : span(plot, button.dataset);
      Plotly.relayout(plot, range).then(() => { says.textContent = button.dataset.view ? "" : shown(plot); });
    });
  }

  const shown = (plot) => plot.layout.xaxis.range.map((one) => String(one).slice(0, 10)).join(" to ");

  // A stretch of days at the end of what is shown, all days, or a step to either side.
  function span(plot, { days, shift }) {
    const home = plot.home.x.map((one) => time(String(one)));
    const now = plot.layout.xaxis.range.map((one) => time(String(one)));
    if (days === "0") return { "xaxis.range": plot.home.x.slice(), "yaxis.range": plot.home.y.slice() };
    if (days) {
      const end = Math.min(now[1], home[1]);
      return { "xaxis.range": [text(end - Number(days) * DAY), text(end)] };
    }
    const step = Number(shift) * (now[1] - now[0]);
    return { "xaxis.range": now.map((one) => text(one + step)) };
  }

  // The map: where it began, everything on it, closer or wider about its middle.
  function view(plot, name) {
    if (name === "home") return { "xaxis.range": plot.home.x.slice(), "yaxis.range": plot.home.y.slice() };
    if (name === "all") return { "xaxis.autorange": true, "yaxis.autorange": true };
    const factor = name === "in" ? 0.6 : 1.6;
    const scaled = ([low, high]) => {
      const middle = (low + high) / 2, half = ((high - low) / 2) * factor;
      return [middle - half, middle + half];
    };
    return { "xaxis.range": scaled(plot.layout.xaxis.range), "yaxis.range": scaled(plot.layout.yaxis.range) };
  }

  const plots = Array.from(document.querySelectorAll(".plot"));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "800px 0px" });
  plots.forEach((plot) => watcher.observe(plot));
  window.drawAll = () => Promise.all(plots.map(draw));
  window.addEventListener("beforeprint", window.drawAll);
})();
