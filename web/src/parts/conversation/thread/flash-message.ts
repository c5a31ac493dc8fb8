/** As long as the motion in bubble.module.css. */
const flashMs = 1400

/** Shows once which message was meant, to eyes and to readers of screens. */
export function flashMessage(rows: HTMLElement | null, id: string, quietly = false): void {
  const bubble = rows?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
  if (!bubble) return
  // What is folded away is what one came for.
  bubble.querySelector<HTMLElement>('[data-more]')?.click()
  if (!quietly) bubble.focus({ preventScroll: true })
  bubble.dataset.flash = ''
  setTimeout(() => delete bubble.dataset.flash, flashMs)
}
