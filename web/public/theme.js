// Light or dark, a person's own colours and font, before anything is painted: nobody wants a flash. web/settings/appearance.ts and
// fonts.ts write what is read here, and decide afterwards. Takes nothing that is not a colour, a number or the name of a font.
(() => {
  const root = document.documentElement;
  const kept = localStorage.getItem("duetty.theme");
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  root.dataset.theme = kept === "light" || kept === "dark" ? kept : system;
  try {
    const { name, base, colours } = JSON.parse(localStorage.getItem("duetty.dress") ?? "{}");
    const all = Object.entries(colours ?? {});
    const isColour = ([key, value]) => /^--[\w-]{1,40}$/.test(key) && /^(#[0-9a-f]{6,8}|[\d.]{1,5})$/.test(value);
    if (typeof name === "string" && (base === "light" || base === "dark") && all.length < 200 && all.every(isColour)) {
      root.dataset.theme = base;
      root.dataset.dress = name;
      for (const [key, value] of all) root.style.setProperty(key, value);
    }
    const { font_family: font } = JSON.parse(localStorage.getItem("duetty.settings") ?? "{}");
    if (typeof font === "string" && /^[\p{L}\p{N} ._+-]{1,60}$/u.test(font)) {
      root.style.setProperty("--font", `"${font}"`);
    }
  } catch {
    // Not ours: the page begins as if nothing had been chosen.
  }
})();
