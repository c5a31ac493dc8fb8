let pageName: string | undefined
let unreadCount = 0

/** The tab title: the unread count, the page name, and the product name. */
export const formatPageTitle = (name: string | undefined, count: number): string =>
  `${count > 0 ? `(${count > 99 ? '99+' : count}) ` : ''}${name ? `${name} · ` : ''}Recado`

const write = () => {
  document.title = formatPageTitle(pageName, unreadCount)
}

export function setPageName(name: string | undefined): void {
  pageName = name
  write()
}

/** The number of tickets with unread messages. */
export function setPageUnreadCount(count: number): void {
  unreadCount = count
  write()
}
