import { createContext } from 'react'

/** Parts of a text: plain text and mentions. */
export type MentionPart = string | { name: string; isMe: boolean }

/** Finds mentions in a text, where they are supported. */
export const MentionContext = createContext<((text: string) => MentionPart[]) | null>(null)
