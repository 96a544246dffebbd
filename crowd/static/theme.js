// The colours a person chose: as the system says, light, or dark. Loaded early, as a plain script in the head,
// so that the page is never seen in the wrong ones.

(() => {
  const KEY = "crowd-theme";
  const THEMES = ["system", "light", "dark"];
  const root = document.documentElement;

  const stored = () => {
    try {
      return localStorage.getItem(KEY) ?? "system";
    } catch {
      return "system";
    }
  };

  const show = (theme) => {
    root.dataset.theme = THEMES.includes(theme) ? theme : "system";
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === root.dataset.theme));
    }
  };

  const choose = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // It lasts for this page then.
    }
    show(theme);
  };

  show(stored());
  document.addEventListener("DOMContentLoaded", () => {
    show(root.dataset.theme);
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.addEventListener("click", () => choose(button.dataset.themeChoice));
    }
  });
})();
