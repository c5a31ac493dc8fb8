let shown: string | undefined
let waiting = 0

/** What a tab says of itself: how many wait, where one is, what it belongs to. */
export const titleOf = (name: string | undefined, count: number): string =>
  `${count > 0 ? `(${count > 99 ? '99+' : count}) ` : ''}${name ? `${name} · ` : ''}Recado`

const write = () => {
  document.title = titleOf(shown, waiting)
}

export function setPageName(name: string | undefined): void {
  shown = name
  write()
}

/** How many tickets have something unread. */
export function setPageCount(count: number): void {
  waiting = count
  write()
}
