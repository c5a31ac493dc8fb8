/** The duration of the animation in bubble.module.css. */
const flashMs = 1400

/** Highlights a message once, visually and for screen readers. */
export function flashMessage(rows: HTMLElement | null, id: string, quietly = false): void {
  const bubble = rows?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
  if (!bubble) return
  // A folded text is expanded, because the match may be in the hidden part.
  bubble.querySelector<HTMLElement>('[data-more]')?.click()
  if (!quietly) bubble.focus({ preventScroll: true })
  bubble.dataset.flash = ''
  setTimeout(() => delete bubble.dataset.flash, flashMs)
}
