// Light or dark before anything is painted, as web/settings/appearance.ts decides it afterwards: nobody wants a flash.
(() => {
  const kept = localStorage.getItem("duetty.theme");
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset.theme = kept === "light" || kept === "dark" ? kept : system;
})();
