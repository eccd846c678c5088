
(function () {
  "use strict";
  var last = null;
  function placeOf(element) {
    var found = element && element.closest ? element.closest("[class*='place-']") : null;
    var match = found ? /(?:^|\s)place-(\d+)(?:\s|$)/.exec(found.getAttribute("class")) : null;
    return match ? match[1] : null;
  }
  function all(place) {
    return document.querySelectorAll(".place-" + place);
  }
  function mark(place) {
    if (place === last) return;
    if (last !== null) all(last).forEach(function (element) { element.classList.remove("hot"); });
    if (place !== null) all(place).forEach(function (element) { element.classList.add("hot"); });
    last = place;
  }
  // The root is where reading begins, and rarely at the top of the drawing.
  var root = document.querySelector("#graph .block"), graph = document.getElementById("graph");
  if (root && graph) {
    graph.scrollTop += root.getBoundingClientRect().top - graph.getBoundingClientRect().top - graph.clientHeight / 4;
  }
  document.addEventListener("mouseover", function (event) { mark(placeOf(event.target)); });
  document.addEventListener("focusin", function (event) { mark(placeOf(event.target)); });
  document.addEventListener("click", function (event) {
    var place = placeOf(event.target);
    if (place === null) return;
    event.preventDefault();
    var from = event.target.closest("section");
    document.querySelectorAll("section").forEach(function (section) {
      if (section === from) return;
      var element = section.querySelector(".place-" + place);
      if (!element) return;
      var isGraph = section === graph;
      element.scrollIntoView({ block: "center", inline: isGraph ? "center" : "nearest" });
      if (!isGraph) section.scrollLeft = 0;
    });
  });
})();
