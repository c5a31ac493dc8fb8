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
    unreadable: ['nobody'],
  })
  const many = Array.from({ length: maxInvitees + 5 }, (_, i) => `p${i}@x.com`).join('\n')
  expect(parseInvitees(many).invitees).toHaveLength(maxInvitees)
})
