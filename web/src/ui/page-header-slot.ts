import { createContext } from 'react'

/** Target for a page's title and action outside of the page: on a phone, the top bar. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null)
