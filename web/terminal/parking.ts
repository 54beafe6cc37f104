// Where a terminal is while no view shows it.

/** Off screen but laid out, because a terminal that is not displayed measures its letters again each time. */
export function parking(): HTMLElement {
  const known = document.getElementById("parking");
  if (known) return known;
  const made = document.createElement("div");
  made.id = "parking";
  made.setAttribute("aria-hidden", "true");
  made.inert = true;
  document.body.append(made);
  return made;
}
