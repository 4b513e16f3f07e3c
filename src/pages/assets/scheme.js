// Sets the colour scheme that the reader chose before anything is drawn; without a choice that of the system applies.
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch {
  // The browser stores nothing for this site.
}
