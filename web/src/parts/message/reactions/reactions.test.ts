import { expect, it } from 'vitest'
import { groupReactions, replaceOwnReaction } from './reactions.ts'

const of = (emoji: string, name: string, fromMe = false) => ({ emoji, name, fromMe })

it('are one pill per emoji, with its number and whose it is', () => {
  expect(groupReactions([of('👍', 'Lucía'), of('❤️', 'Leo'), of('👍', 'Ana', true)], 'Nosotros')).toEqual([
    { emoji: '👍', count: 2, ours: true, names: 'Lucía, Nosotros' },
    { emoji: '❤️', count: 1, ours: false, names: 'Leo' },
  ])
})

it('of the house there is one at most', () => {
  const both = [of('👍', 'Lucía'), of('❤️', 'Ana', true)]
  expect(replaceOwnReaction(both, '🙏', 'Leo')).toEqual([of('👍', 'Lucía'), of('🙏', 'Leo', true)])
  expect(replaceOwnReaction(both, '', 'Leo')).toEqual([of('👍', 'Lucía')])
})
