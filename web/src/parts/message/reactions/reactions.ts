import type { Message } from '@recado/contract/messages'

type Reaction = Message['reactions'][number]
export type ReactionGroup = { emoji: string; count: number; ours: boolean; names: string }

/** Groups the same emoji of several people with a count, in order of arrival. */
export function groupReactions(reactions: Reaction[], us: string): ReactionGroup[] {
  const emojis = [...new Set(reactions.map(({ emoji }) => emoji))]
  return emojis.map((emoji) => {
    const of = reactions.filter((one) => one.emoji === emoji)
    const names = of.map(({ fromMe, name }) => (fromMe ? us : name)).filter(Boolean)
    return { emoji, count: of.length, ours: of.some(({ fromMe }) => fromMe), names: names.join(', ') }
  })
}

/** Replaces the company's reaction, as the server will store it: the company has only one. */
export const replaceOwnReaction = (reactions: Reaction[], emoji: string, name: string): Reaction[] => {
  const others = reactions.filter(({ fromMe }) => !fromMe)
  return emoji ? [...others, { emoji, fromMe: true, name }] : others
}

/** The company's reaction; choosing the same emoji again removes it. */
export const ownReaction = ({ reactions }: Message): string => reactions.find(({ fromMe }) => fromMe)?.emoji ?? ''

/** Common reactions. */
export const quickEmojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']
