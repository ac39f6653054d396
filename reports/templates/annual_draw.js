// Draws every figure whose data lies in the page. What cannot be drawn keeps the words that say so.
"use strict";
for (const place of document.querySelectorAll("[data-figure]")) {
  const words = place.innerHTML;
  try {
    const figure = JSON.parse(document.getElementById(place.dataset.figure).textContent);
    place.innerHTML = "";
    const drawn = Plotly.newPlot(place, figure.data, figure.layout, { responsive: true, displaylogo: false, displayModeBar: false });
    drawn.catch(() => { place.innerHTML = words; });
  } catch (error) {
    place.innerHTML = words;
  }
}
