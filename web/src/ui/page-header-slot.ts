import { createContext } from 'react'

/** Where a page's title and action are drawn instead of on the page: on a phone, the top bar. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null)
