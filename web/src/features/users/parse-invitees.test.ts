import { expect, test } from 'vitest'
import { maxInvitees, parseInvitees } from './parse-invitees.ts'

test('reads pasted people from a mail or a spreadsheet, each address once', () => {
  const text =
    'Ana Torres <ana@x.com>\n"Beto, R." <BETO@x.com>; \n\ncaro.diaz@x.com, d@x.com\nEva\teva@x.com\nana@x.com\nnobody'
  expect(parseInvitees(text)).toEqual({
    invitees: [
      { name: 'Ana Torres', email: 'ana@x.com' },
      { name: 'Beto R.', email: 'beto@x.com' },
      { name: 'Caro Diaz', email: 'caro.diaz@x.com' },
      { name: 'd@x.com', email: 'd@x.com' },
      { name: 'Eva', email: 'eva@x.com' },
    ],
    rejected: [
      { typed: 'ana@x.com', reason: 'repeated' },
      { typed: 'nobody', reason: 'unreadable' },
    ],
  })
})

test('names every entry that is not invited: no address for the server, or more than an hour allows', () => {
  const many = Array.from({ length: maxInvitees + 2 }, (_, i) => `p${i}@x.com`)
  const { invitees, rejected } = parseInvitees(['ana@localhost', 'Beto beto@x..com', ...many].join('\n'))
  expect(invitees).toHaveLength(maxInvitees)
  expect(rejected).toEqual([
    { typed: 'ana@localhost', reason: 'unreadable' },
    { typed: 'Beto beto@x..com', reason: 'unreadable' },
    { typed: `p${maxInvitees}@x.com`, reason: 'tooMany' },
    { typed: `p${maxInvitees + 1}@x.com`, reason: 'tooMany' },
  ])
})
