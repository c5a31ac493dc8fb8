import { createContext } from 'react'

/** Pieces of a text: what is said, and whom it calls by name. */
export type MentionPart = string | { name: string; isMe: boolean }

/** Who can be called here, if anybody: finds them in a text. */
export const MentionContext = createContext<((text: string) => MentionPart[]) | null>(null)
