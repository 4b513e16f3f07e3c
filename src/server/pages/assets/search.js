// The search of the reference while one types; without this script its form does the same.

const form = document.querySelector("form.search");
const input = form.elements.q;
const results = document.getElementById("results");
const before = [...results.childNodes];
let asked = 0;

async function search() {
  const turn = ++asked;
  const text = input.value.trim();
  if (text === "") return results.replaceChildren(...before);
  const answer = await fetch(`${form.action}?${new URLSearchParams({ q: text })}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (turn === asked) results.replaceChildren(...page.getElementById("results").childNodes);
}

let wait;
input.addEventListener("input", () => {
  clearTimeout(wait);
  wait = setTimeout(() => void search(), 120);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea")) return;
  event.preventDefault();
  input.focus();
});
