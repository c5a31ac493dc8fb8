import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CustomerAnswer, readAnswer } from '../src/flows/answers.ts'
import { AskedAnswer } from '../src/flows/flow-steps.ts'
import type { Language } from '../src/users.ts'

const today = '2026-11-19'
const read = (asked: object, given: string | Partial<CustomerAnswer>, language: Language = 'es') =>
  readAnswer(AskedAnswer.parse(asked), typeof given === 'string' ? { text: given } : { text: '', ...given }, {
    language,
    today,
  })
const value = (...of: Parameters<typeof read>) => read(...of)?.value ?? null

describe('answers with a number', () => {
  it.each<[string, Language, string]>([
    ['4', 'es', '4'],
    ['somos 4 personas', 'es', '4'],
    ['４', 'pt', '4'],
    ['1.234,56', 'es', '1234.56'],
    ['1,234.56', 'es', '1234.56'],
    ['1.234,56', 'en', '1234.56'],
    ['1,234.56', 'en', '1234.56'],
    ['1.234', 'es', '1234'],
    ['1.234', 'en', '1.234'],
    ['1,234', 'en', '1234'],
    ['1,5', 'es', '1.5'],
    ['1,5', 'en', '1.5'],
    ['1.5', 'pt', '1.5'],
    ['0.500', 'es', '0.5'],
    ['1.234.567', 'en', '1234567'],
    ['US$ 1 234 567,8', 'es', '1234567.8'],
    ["1'234.5", 'es', '1234.5'],
    ['R$ 99,90.', 'pt', '99.9'],
    ['-3,5', 'es', '-3.5'],
    ['−3', 'es', '-3'],
    ['-0', 'es', '0'],
  ])('read %j in %s as %s', (text, language, expected) => {
    expect(value({ kind: 'number', decimals: true }, text, language)).toBe(expected)
  })

  it.each(['', 'cuatro', '4 o 5', '2-3', '1.23.456', '1,2,3', '12 34', '1.234.56', '1'.repeat(16), '0,1234567'])(
    'do not read %j',
    (text) => {
      expect(value({ kind: 'number', decimals: true }, text)).toBeNull()
    },
  )

  it('respect the limits, and whether decimals are wanted', () => {
    const people = { kind: 'number', min: 1, max: 40 }
    expect([value(people, '0'), value(people, '1'), value(people, '40'), value(people, '41')]).toEqual([
      null,
      '1',
      '40',
      null,
    ])
    expect(value({ kind: 'number' }, '2,5')).toBeNull()
    expect(value({ kind: 'number' }, '2,0')).toBe('2')
    // A whole number has no decimals, so the point can only separate thousands.
    expect(value({ kind: 'number' }, '1.234', 'en')).toBe('1234')
  })

  it('read back every number in the writing of each language', () => {
    const number = fc.integer({ min: -1e11, max: 1e11 }).map((n) => n / 100)
    const locales = { es: 'es-AR', pt: 'pt-BR', en: 'en-US' }
    fc.assert(
      fc.property(number, fc.constantFrom<Language>('es', 'pt', 'en'), (n, language) => {
        const written = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2 }).format(n)
        expect(value({ kind: 'number', decimals: true }, written, language)).toBe(String(n === 0 ? 0 : n))
      }),
    )
  })
})

describe('answers with a date', () => {
  it.each<[string, Language, string]>([
    ['2026-12-01', 'es', '2026-12-01'],
    ['1/12/2026', 'es', '2026-12-01'],
    ['1/12/2026', 'en', '2026-01-12'],
    ['21/12/2026', 'en', '2026-12-21'],
    ['12/21/2026', 'es', '2026-12-21'],
    ['el 21-12-26 a la tarde', 'es', '2026-12-21'],
    ['21.12.', 'pt', '2026-12-21'],
    ['5/1', 'es', '2027-01-05'],
    ['19/11', 'es', '2026-11-19'],
    ['19 de noviembre de 2026', 'es', '2026-11-19'],
    ['el 3 de febrero', 'es', '2027-02-03'],
    ['1º de março', 'pt', '2027-03-01'],
    ['3 mai 2027', 'pt', '2027-05-03'],
    ['dec 24', 'en', '2026-12-24'],
    ['December 24th, 2026', 'en', '2026-12-24'],
    ['the 24th of December', 'en', '2026-12-24'],
    ['29 de febrero', 'es', '2028-02-29'],
    ['5 de setiembre', 'es', '2027-09-05'],
    ['hoy', 'es', '2026-11-19'],
    ['Amanhã!', 'pt', '2026-11-20'],
    ['pasado mañana', 'es', '2026-11-21'],
    ['1/5/85', 'es', '1985-05-01'],
  ])('read %j in %s as %s', (text, language, expected) => {
    expect(value({ kind: 'date' }, text, language)).toBe(expected)
  })

  it.each(['', 'pronto', '31/2/2026', '32/1', '13/13/2026', 'del 1/12 al 5/12', '1/12/3026', 'marzo', '1/2/3/4'])(
    'do not read %j',
    (text) => {
      expect(value({ kind: 'date' }, text)).toBeNull()
    },
  )

  it('lie in the wanted direction, also without a year', () => {
    const born = { kind: 'date', when: 'past' }
    expect(value(born, '24/12')).toBe('2025-12-24')
    expect(value(born, '24/12/26')).toBe('1926-12-24')
    expect(value(born, '24/12/2026')).toBeNull()
    expect(value(born, 'hoy')).toBe(today)
    expect(value({ kind: 'date', when: 'future' }, 'ayer')).toBeNull()
    expect(value({ kind: 'date', when: 'future' }, '18/11/2026')).toBeNull()
  })

  it('read back every day in the writings of each language', () => {
    const day = fc.integer({ min: 0, max: 60_000 }).map((n) => new Date(Date.UTC(1930, 0, 1 + n)))
    const locales = { es: 'es-AR', pt: 'pt-BR', en: 'en-US' }
    const styles = fc.constantFrom<Intl.DateTimeFormatOptions>(
      { dateStyle: 'long' },
      { day: 'numeric', month: 'numeric', year: 'numeric' },
      { day: 'numeric', month: 'short', year: 'numeric' },
    )
    fc.assert(
      fc.property(day, fc.constantFrom<Language>('es', 'pt', 'en'), styles, (date, language, style) => {
        const written = new Intl.DateTimeFormat(locales[language], { ...style, timeZone: 'UTC' }).format(date)
        expect(value({ kind: 'date' }, written, language), written).toBe(date.toISOString().slice(0, 10))
      }),
    )
  })
})

describe('answers of other kinds', () => {
  const choice = {
    kind: 'choice',
    options: [
      { id: 'a', title: 'Reservar' },
      { id: 'b', title: 'Ya viajo' },
      { id: 'c', title: '4' },
    ],
  }
  it.each<[string | Partial<CustomerAnswer>, string | null]>([
    ['1', 'a'],
    ['la 2, por favor', 'b'],
    ['YA VIAJO!', 'b'],
    ['2. ya viajo', 'b'],
    ['4', 'c'],
    [{ optionId: 'c' }, 'c'],
    [{ text: '1', optionId: 'b' }, 'b'],
    [{ text: 'x', optionId: 'z' }, null],
    ['5', null],
    ['', null],
    ['reservar o pagar', null],
  ])('choose by number, title or button: %j', (given, expected) => {
    expect(read(choice, given)?.optionId ?? null).toBe(expected)
  })

  it('keep the title of the chosen option', () => {
    expect(read(choice, '2')).toEqual({ value: 'Ya viajo', optionId: 'b' })
  })

  it('find an e-mail address among words', () => {
    const email = { kind: 'email' }
    expect(value(email, 'Es Lucia.Montes@Correo.example.')).toBe('lucia.montes@correo.example')
    expect(value(email, 'Lucía <lucia@correo.example>')).toBe('lucia@correo.example')
    for (const text of ['lucia', 'lucia@', '@correo.example', 'a@b', 'a@b.example o c@d.example', ''])
      expect(value(email, text)).toBeNull()
  })

  it('find a tax number among words, with any of the accepted kinds', () => {
    const brazil = { kind: 'taxId', of: ['cpf', 'cnpj'] }
    expect(value(brazil, 'meu CPF é 529.982.247-25')).toBe('52998224725')
    expect(value(brazil, '529 982 247 25')).toBe('52998224725')
    expect(value(brazil, '12.abc.345/01de-35')).toBe('12ABC34501DE35')
    expect(value(brazil, '529.982.247-26')).toBeNull()
    expect(value({ kind: 'taxId', of: ['rut'] }, '529.982.247-25')).toBeNull()
  })

  it('take a file of the wanted kind, a place, and any text', () => {
    const file = { id: 'm1', kind: 'image' as const }
    expect(value({ kind: 'file' }, { file })).toBe('m1')
    expect(value({ kind: 'file', of: ['document'] }, { file })).toBeNull()
    expect(value({ kind: 'file' }, 'aquí va')).toBeNull()
    expect(value({ kind: 'place' }, { place: { latitude: -33.45, longitude: -70.66 } })).toBe('-33.45,-70.66')
    expect(value({ kind: 'place' }, 'en casa')).toBeNull()
    expect(value({ kind: 'text' }, '  Lucía  ')).toBe('Lucía')
    expect(value({ kind: 'text' }, ' ')).toBeNull()
  })

  it('are read in a bounded time, whatever a customer sends', () => {
    const kinds = [
      { kind: 'text' },
      { kind: 'number' },
      { kind: 'date' },
      { kind: 'email' },
      { kind: 'taxId', of: ['cpf', 'cnpj', 'cuit', 'rut'] },
      choice,
    ]
    const texts = ['1', ' ', '1/', '1 ', '@', 'a@', '.', ',1', '-', '\u0301', '1,'].map((sign) => sign.repeat(100_000))
    const began = process.threadCpuUsage()
    for (const text of texts) for (const kind of kinds) read(kind, text)
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(200)
  })

  it('never throw', () => {
    const kinds = ['text', 'number', 'date', 'email', 'file', 'place'].map((kind) => ({ kind }))
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...kinds, choice), (text, kind) => {
        const found = read(kind, text)
        if (found) expect(found.value).not.toBe('')
      }),
    )
  })
})
