/**
 * The regions between which F6 moves: menu, top bar, list, conversation, contact. A region that contains other regions
 * is left out.
 */
function findRegions(): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  return all.filter((one) => one.checkVisibility() && !one.closest('[inert]') && !one.querySelector('[data-region]'))
}

/** The focus target in a region: the current row or page, else the region itself, else the first control. */
const preferredTargets = ['[data-opener][tabindex="0"]', '[aria-current="page"]']
const reachable = 'a[href], button:not([disabled]), input:not([disabled]), textarea, [tabindex="0"]'

function focusRegion(region: HTMLElement): void {
  const target = preferredTargets.map((one) => region.querySelector<HTMLElement>(one)).find(Boolean)
  const itself = region.hasAttribute('tabindex') ? region : region.querySelector<HTMLElement>(reachable)
  ;(target ?? itself)?.focus()
}

/** Moves the focus to the next or previous region; without a focus, to the first or last. A dialog keeps its focus. */
export function moveFocusToRegion(by: 1 | -1): void {
  if (document.activeElement?.closest('[aria-modal="true"]')) return
  const all = findRegions()
  const at = all.findIndex((one) => one.contains(document.activeElement))
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length
  const region = all[next]
  if (region) focusRegion(region)
}
