import { createContext } from 'react'

/** Parts of a text: plain text and mentions. */
export type MentionPart = string | { name: string; isMe: boolean }

/** A function that finds mentions in a text; null where mentions are not supported. */
export const MentionContext = createContext<((text: string) => MentionPart[]) | null>(null)
