import type { Message } from '@recado/contract/messages'

type Reaction = Message['reactions'][number]
export type ReactionGroup = { emoji: string; count: number; ours: boolean; names: string }

/** The same emoji of several people is one, with their number; the order is that in which they came. */
export function groupReactions(reactions: Reaction[], us: string): ReactionGroup[] {
  const emojis = [...new Set(reactions.map(({ emoji }) => emoji))]
  return emojis.map((emoji) => {
    const of = reactions.filter((one) => one.emoji === emoji)
    const names = of.map(({ fromMe, name }) => (fromMe ? us : name)).filter(Boolean)
    return { emoji, count: of.length, ours: of.some(({ fromMe }) => fromMe), names: names.join(', ') }
  })
}

/** Ours in its place, as the server will store it: the house has one. */
export const replaceOwnReaction = (reactions: Reaction[], emoji: string, name: string): Reaction[] => {
  const others = reactions.filter(({ fromMe }) => !fromMe)
  return emoji ? [...others, { emoji, fromMe: true, name }] : others
}

/** The same again takes it back. */
export const ownReaction = ({ reactions }: Message): string => reactions.find(({ fromMe }) => fromMe)?.emoji ?? ''

/** What people answer with when words would be too many. */
export const quickEmojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']
