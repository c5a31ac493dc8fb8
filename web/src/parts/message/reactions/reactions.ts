import type { Message } from '@recado/contract/messages'

type Reaction = Message['reactions'][number]
export type ReactionGroup = { emoji: string; count: number; ours: boolean; names: string }

/** The same emoji of several people is one group with a count, in order of arrival. */
export function groupReactions(reactions: Reaction[], us: string): ReactionGroup[] {
  const emojis = [...new Set(reactions.map(({ emoji }) => emoji))]
  return emojis.map((emoji) => {
    const of = reactions.filter((one) => one.emoji === emoji)
    const names = of.map(({ fromMe, name }) => (fromMe ? us : name)).filter(Boolean)
    return { emoji, count: of.length, ours: of.some(({ fromMe }) => fromMe), names: names.join(', ') }
  })
}

/** Replaces our reaction, as the server will store it: the company has one. */
export const replaceOwnReaction = (reactions: Reaction[], emoji: string, name: string): Reaction[] => {
  const others = reactions.filter(({ fromMe }) => !fromMe)
  return emoji ? [...others, { emoji, fromMe: true, name }] : others
}

/** Choosing the same again removes it. */
export const ownReaction = ({ reactions }: Message): string => reactions.find(({ fromMe }) => fromMe)?.emoji ?? ''

/** Common reactions. */
export const quickEmojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']
