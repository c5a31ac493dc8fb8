import { describe, expect, it } from 'vitest'
import { endpoints } from '../src/api.ts'
import { ContactWrite } from '../src/contacts.ts'
import { hasHiddenCharacters, removeHiddenCharacters } from '../src/hidden-characters.ts'
import { UserWrite } from '../src/users.ts'

describe('hidden characters in names', () => {
  it.each([
    ['a right-to-left override', 'Ana \u202Enimda'],
    ['an isolate', '\u2066Ana\u2069'],
    ['a zero-width space', 'Ad\u200Bmin'],
    ['a joiner between Latin letters', 'Ad\u200Dmin'],
    ['a non-joiner between Latin letters', 'Ad\u200Cmin'],
    ['a word joiner', 'Ad\u2060min'],
    ['a byte order mark inside', 'Ad\uFEFFmin'],
    ['a soft hyphen', 'Ad\u00ADmin'],
    ['a Hangul filler', 'Ana\u3164'],
    ['a braille blank', 'Ana\u2800'],
    ['a variation selector after a letter', 'Ana\uFE0F'],
    ['tags without a flag', 'Ana\u{E0041}\u{E0042}'],
    ['a line break', 'Ana\nTorres'],
    ['a joiner at the end', 'Ana \u{1F469}\u200D'],
  ])('detects and removes hidden characters: %s', (_what, name) => {
    expect(hasHiddenCharacters(name)).toBe(true)
    expect(hasHiddenCharacters(removeHiddenCharacters(name))).toBe(false)
    expect(UserWrite.safeParse({ name, email: 'ana@desk.example' }).error?.issues).toMatchObject([
      { path: ['name'], params: { problem: 'Hidden Characters!' } },
    ])
  })

  it.each([
    'María José Núñez',
    'João d’Ávila',
    '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466} Família',
    '\u{1F469}\u{1F3FD}\u200D\u{1F52C} Lab',
    'Ana \u2764\uFE0F\u200D\u{1F525}',
    '1\uFE0F\u20E3 Ventas',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} Cymru',
    'می\u200Cخواهم',
    'क्\u200Dष',
    'שלום',
    'محمد',
    '漢字かな',
  ])('accepts ordinary text: %s', (name) => {
    expect(hasHiddenCharacters(name)).toBe(false)
    expect(UserWrite.safeParse({ name, email: 'ana@desk.example' }).success).toBe(true)
  })

  it('are removed from a contact name instead of refusing it, because customers choose their own names', () => {
    expect(ContactWrite.parse({ name: 'Lucía\u202E \u200BCampos', number: '5491155550000' }).name).toBe('Lucía Campos')
  })
})

it('refuses or removes hidden characters in every form field that is a name', () => {
  // Fields with names that come from other systems: the test phone's customer, Meta's templates, import columns.
  const foreign = ['/sandbox/', '/template', '/contact-lists/imports/']
  const tried = endpoints.flatMap((e) => {
    const example = e.example as Record<string, unknown> | undefined
    if (!e.body || typeof example?.name !== 'string' || foreign.some((part) => e.path.includes(part))) return []
    const said = e.body.safeParse({ ...example, name: `${example.name}\u202Ex\u200By` })
    const kept = said.success && (said.data as { name: string }).name
    return [{ path: `${e.method} ${e.path}`, isHidden: typeof kept === 'string' && hasHiddenCharacters(kept) }]
  })
  expect(tried.length).toBeGreaterThan(15)
  expect(tried.filter(({ isHidden }) => isHidden)).toEqual([])
})
