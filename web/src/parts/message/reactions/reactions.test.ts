import { expect, it } from 'vitest'
import { groupReactions, replaceOwnReaction } from './reactions.ts'

const reaction = (emoji: string, name: string, fromMe = false) => ({ emoji, name, fromMe })

it('shows reactions as one pill per emoji, with its count and owners', () => {
  expect(
    groupReactions([reaction('👍', 'Lucía'), reaction('❤️', 'Leo'), reaction('👍', 'Ana', true)], 'Nosotros'),
  ).toEqual([
    { emoji: '👍', count: 2, ours: true, names: 'Lucía, Nosotros' },
    { emoji: '❤️', count: 1, ours: false, names: 'Leo' },
  ])
})

it('keeps at most one reaction of the company', () => {
  const both = [reaction('👍', 'Lucía'), reaction('❤️', 'Ana', true)]
  expect(replaceOwnReaction(both, '🙏', 'Leo')).toEqual([reaction('👍', 'Lucía'), reaction('🙏', 'Leo', true)])
  expect(replaceOwnReaction(both, '', 'Leo')).toEqual([reaction('👍', 'Lucía')])
})
