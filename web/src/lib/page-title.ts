let pageName: string | undefined
let unreadCount = 0

/** What a tab says of itself: how many wait, where one is, what it belongs to. */
export const formatPageTitle = (name: string | undefined, count: number): string =>
  `${count > 0 ? `(${count > 99 ? '99+' : count}) ` : ''}${name ? `${name} · ` : ''}Recado`

const write = () => {
  document.title = formatPageTitle(pageName, unreadCount)
}

export function setPageName(name: string | undefined): void {
  pageName = name
  write()
}

/** How many tickets have something unread. */
export function setPageUnreadCount(count: number): void {
  unreadCount = count
  write()
}
