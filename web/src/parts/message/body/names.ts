import { createContext } from 'react'

/** Pieces of a text: what is said, and whom it calls by name. */
export type Called = string | { name: string; isMe: boolean }

/** Who can be called here, if anybody: finds them in a text. */
export const Names = createContext<((text: string) => Called[]) | null>(null)
