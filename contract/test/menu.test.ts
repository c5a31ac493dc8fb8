import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  firstMenuTurn,
  isTextOfTemplate,
  type Menu,
  type MenuOption,
  type MenuPosition,
  type MenuTurn,
  mainMenuText,
  maxWrongAnswers,
  menuNodeText,
  menuStartPosition,
  nextMenuTurn,
  parseMenuChoices,
  playMenuConversation,
} from '../src/menu/menu.ts'
import { checkMenu, type DraftMenuOption } from '../src/menu/menu-check.ts'

const words = {
  choose: 'Elige:',
  back: 'Volver',
  main: 'Inicio',
  wrong: 'No es una opción.',
  toPerson: 'Ya te atienden.',
}
const option = (
  id: number,
  parentId: number | null,
  number: number,
  title: string,
  more: Partial<MenuOption> = {},
) => ({
  id,
  parentId,
  option: number,
  title,
  message: '',
  leads: 'person' as const,
  forwardQueueId: null,
  ...more,
})
const support = {
  id: 2,
  name: 'Soporte',
  greetingMessage: '¿Qué equipo?',
  options: [
    option(21, null, 1, 'Garantía', { message: '¿Qué necesitas?' }),
    option(22, 21, 1, 'Cambiar', { message: 'Te lo cambiamos.' }),
    option(23, 21, 2, 'Estado', { message: 'Está en camino.', leads: 'end' }),
    option(24, null, 2, 'Repuestos', { leads: 'queue', forwardQueueId: 1 }),
  ],
}
const sales = { id: 1, name: 'Ventas', greetingMessage: 'Un vendedor te escribe.', options: [] }
const menu: Menu = { greeting: 'Hola, {{name}}', queues: [sales, support] }
const alone: Menu = { greeting: '', queues: [support] }
const free = { repeats: 3, resting: false }

const place = (turn: MenuTurn): MenuPosition => {
  if (!turn.held) throw new Error(`left: ${turn.why}`)
  return turn.place
}
const from = (texts: string[], m = menu): MenuTurn =>
  texts.reduce<MenuTurn>(
    (turn, text) => nextMenuTurn(m, words, free, place(turn), text),
    firstMenuTurn(m, words) as MenuTurn,
  )

describe('customer menu', () => {
  it('starts with the queues of a line, or with the options of its only queue, and sends nothing if there are no options', () => {
    expect(firstMenuTurn(menu, words)).toMatchObject({ held: true, why: 'asked', place: { queueId: null, menus: 1 } })
    expect(firstMenuTurn(menu, words)?.say).toEqual(['Hola, {{name}}\n\nElige:\n*1* Ventas\n*2* Soporte'])
    expect(firstMenuTurn(alone, words)?.say).toEqual(['¿Qué equipo?\n\nElige:\n*1* Garantía\n*2* Repuestos'])
    expect(firstMenuTurn({ greeting: 'x', queues: [sales] }, words)).toBeNull()
  })

  it.each([
    ...['2', ' 2 ', '2.', '*2*', '2️⃣', '(2)', '02', '２', '②', 'soporte', 'SOPORTE!'],
    ...['2 Soporte', '*2* Soporte', '2. soporte', '2) Soporte', '2 - soporte', '2:Soporte'],
    ...['opción 2', 'Opcion 2.', 'opção 2', 'option 2', 'la 2', 'la opción 2', 'el nº 2', 'N° 2', 'número 2'],
    ...['2 por favor', 'la 2, por favor', '2 gracias'],
  ])('accepts %j as an answer', (text) => {
    expect(from([text])).toMatchObject({ held: true, why: 'queue-chosen', entered: 2 })
  })

  it.each(['12', '2 3', '2 cosas quiero decir', '2 Ventas', 'los 2', '-2', '2,5', 'a 2 cuadras'])(
    'does not accept %j as an answer',
    (text) => {
      expect(from([text])).toMatchObject({ held: true, why: 'wrong-answer' })
    },
  )

  it('prefers an option number over a title that is a number', () => {
    const names = ['3', '4', 'Otros']
    const counted = {
      ...support,
      options: names.map((title, i) => option(31 + i, null, i + 1, title, { message: `M${i + 1}` })),
    }
    const at = (text: string) => from([text], { greeting: '', queues: [counted] })
    expect(at('3')).toMatchObject({ say: ['M3'] })
    expect(at('1')).toMatchObject({ say: ['M1'] })
    // The menu has no fourth option, so "4" matches an option's title.
    expect(at('4')).toMatchObject({ say: ['M2'] })
  })

  it('accepts back and home as the menu writes them, and by their titles alone', () => {
    for (const text of ['*0* Volver', 'volver', '0 volver'])
      expect(place(from(['2', '1', text]))).toMatchObject({ queueId: 2, optionId: null })
    for (const text of ['*#* Inicio', 'inicio']) expect(place(from(['2', '1', text]))).toMatchObject({ queueId: null })
  })

  it('ignores text beyond the maximum length of an answer', () => {
    const endless = ['!', '…', ' ', '*', '.', '2', '-', '"', '\u0301', 'x '].flatMap((sign) => [
      `${sign.repeat(65_000)}x`,
      `2${sign.repeat(65_000)}x`,
    ])
    const began = process.threadCpuUsage()
    for (const text of endless) from([text])
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(200)
  })

  it('hands the customer over to the agents of a queue without options, with the queue’s greeting', () => {
    expect(from(['1'])).toEqual({
      held: false,
      why: 'queue-chosen',
      queueId: 1,
      ends: false,
      entered: 1,
      say: ['Un vendedor te escribe.'],
    })
  })

  it('follows the customer’s choices to an option without sub-options, where the bot stops', () => {
    expect(from(['2', '1']).say).toEqual(['¿Qué necesitas?\n\nElige:\n*1* Cambiar\n*2* Estado\n*0* Volver\n*#* Inicio'])
    expect(from(['2', '1', '1'])).toMatchObject({ held: false, queueId: 2, ends: false, say: ['Te lo cambiamos.'] })
    expect(from(['2', '1', '2'])).toMatchObject({ held: false, queueId: 2, ends: true, say: ['Está en camino.'] })
    expect(from(['2', '2'])).toMatchObject({ held: false, queueId: 1, ends: false, say: [words.toPerson] })
  })

  it('goes back with 0 and to the main menu with #', () => {
    expect(place(from(['2', '1', '0']))).toMatchObject({ queueId: 2, optionId: null })
    expect(place(from(['2', '0']))).toMatchObject({ queueId: null, optionId: null })
    expect(place(from(['2', '1', '#']))).toMatchObject({ queueId: null, optionId: null, menus: 1 })
    // With a single queue, its own menu is the main menu.
    expect(place(from(['1', '#'], alone))).toMatchObject({ queueId: 2, optionId: null })
    for (const text of ['0', '#']) {
      expect(from([text])).toMatchObject({ why: 'wrong-answer' })
      expect(from([text], alone)).toMatchObject({ why: 'wrong-answer' })
    }
  })

  it.each([
    ['the main menu', []],
    ['a menu below', ['2', '1']],
  ])('repeats %s three times with varied text, and then hands over to a person', (_, path) => {
    const said = [1, 2, 3].map((n) => from([...path, ...Array<string>(n).fill('no sé')]).say[0])
    expect(new Set(said).size).toBe(maxWrongAnswers)
    for (const text of said) expect(text).toContain('No es una opción.')
    const left = from([...path, ...Array<string>(4).fill('no sé')])
    expect(left).toMatchObject({ held: false, why: 'too-many-wrong-answers', say: [words.toPerson] })
  })

  it('resets the count of wrong answers after a valid answer', () => {
    expect(place(from(['x', 'x', '2', 'x']))).toMatchObject({ wrong: 1 })
  })

  it('sends the main menu again as often as the line allows, with 0 as no limit', () => {
    const once = { repeats: 1, resting: false }
    const again = nextMenuTurn(menu, words, once, { ...menuStartPosition, menus: 1 }, 'x')
    expect(again).toMatchObject({ held: true, place: { menus: 2 } })
    expect(nextMenuTurn(menu, words, once, place(again), 'x')).toMatchObject({
      held: false,
      why: 'menu-sent-too-often',
    })
    expect(nextMenuTurn(menu, words, once, { ...menuStartPosition, queueId: 2, menus: 2 }, '#')).toMatchObject({
      held: false,
    })
    const endless = { repeats: 0, resting: false }
    expect(nextMenuTurn(menu, words, endless, { ...menuStartPosition, menus: 90 }, 'x')).toMatchObject({ held: true })
  })

  it('does not answer a wrong choice while the main menu is paused, but accepts a valid one', () => {
    const resting = { repeats: 3, resting: true }
    expect(nextMenuTurn(menu, words, resting, { ...menuStartPosition, menus: 1 }, 'x')).toMatchObject({
      held: true,
      say: [],
      why: 'resting',
    })
    expect(nextMenuTurn(menu, words, resting, { ...menuStartPosition, menus: 1 }, '2')).toMatchObject({ entered: 2 })
    expect(nextMenuTurn(menu, words, resting, { ...menuStartPosition, wrong: 3, menus: 1 }, 'x')).toMatchObject({
      held: false,
    })
  })

  it('asks again or hands over when the menu was changed during the conversation', () => {
    expect(nextMenuTurn(menu, words, free, menuStartPosition, '1')).toMatchObject({
      held: true,
      why: 'main-menu',
      place: { menus: 1 },
    })
    for (const at of [{ queueId: 9 }, { queueId: 2, optionId: 99 }, { queueId: 1 }])
      expect(nextMenuTurn(menu, words, free, { ...menuStartPosition, ...at }, '1')).toMatchObject({
        held: false,
        why: 'menu-is-gone',
      })
  })

  it('replays a whole conversation', () => {
    expect(playMenuConversation(menu, words, ['hola', '2', '1', '1', 'gracias'])).toEqual([
      [mainMenuText(menu, words)],
      [menuNodeText(menu, support, null, words)],
      [menuNodeText(menu, support, 21, words)],
      ['Te lo cambiamos.'],
      [],
    ])
  })

  it('never sends the same text twice in a row and always ends with a handover to a person, for any input', () => {
    const texts = fc.array(fc.constantFrom('1', '2', '3', '0', '#', 'x', '', 'Garantía'), { maxLength: 40 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 4 }), (typed, repeats) => {
        const said = playMenuConversation(menu, words, ['hola', ...typed], repeats)
        const flat = said.flat()
        flat.forEach((text, i) => {
          expect(text).not.toBe(flat[i - 1])
        })
        // After five wrong answers in a row the menu must hand over.
        const end = playMenuConversation(menu, words, ['hola', ...typed, 'x', 'x', 'x', 'x', 'x'], repeats)
        expect(end.at(-1)).toEqual([])
      }),
    )
  })

  it('offers the same choices as buttons below the rest of the text, and accepts each button’s key as an answer', () => {
    const asked = (texts: string[], m = menu) => {
      const turn = from(texts, m)
      return parseMenuChoices(m, words, place(turn), turn.say.at(-1) ?? '')
    }
    expect(asked([])).toEqual({
      text: 'Hola, {{name}}',
      button: 'Elige:',
      options: [
        { key: '1', title: 'Ventas' },
        { key: '2', title: 'Soporte' },
      ],
    })
    expect(asked(['x'])?.text).toBe('No es una opción.\n\nHola, {{name}}')
    expect(asked(['2', '1'])).toMatchObject({
      text: '¿Qué necesitas?',
      options: [{ key: '1' }, { key: '2' }, { key: '0', title: 'Volver' }, { key: '#', title: 'Inicio' }],
    })
    for (const [path, m] of [
      [[], menu],
      [['2'], menu],
      [['2', '1'], menu],
      [[], alone],
      [['1'], alone],
    ] as const)
      for (const { key } of asked([...path], m)?.options ?? [])
        expect(nextMenuTurn(m, words, free, place(from([...path], m)), key).why).not.toBe('wrong-answer')
    // A text that is not this menu has no buttons.
    expect(parseMenuChoices(menu, words, place(from([])), 'Ya te atienden.')).toBeNull()
  })
})

describe('matching of a sent text to its template', () => {
  it('matches a sent text whatever values its variables had', () => {
    expect(isTextOfTemplate('Hola {{name}}, ¿(cómo) va?', 'Hola Lucía, ¿(cómo) va?')).toBe(true)
    expect(isTextOfTemplate('Hola {{name}}', 'Hola Lucía\nPaz')).toBe(true)
    expect(isTextOfTemplate('Hola', 'Hola.')).toBe(false)
    expect(isTextOfTemplate('a.c', 'abc')).toBe(false)
    expect(isTextOfTemplate('{{a}}-{{b}}-', '1-2-3-')).toBe(true)
    expect(isTextOfTemplate('{{a}}ab', 'b')).toBe(false)
    expect(isTextOfTemplate('ab{{a}}b', 'ab')).toBe(false)
    const began = process.threadCpuUsage()
    expect(isTextOfTemplate(`${'{{a}}!'.repeat(30)}x`, '!'.repeat(20_000))).toBe(false)
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(100)
  })
})

describe('menu check', () => {
  const draft = (
    key: string,
    parentKey: string | null,
    number: number,
    more: Partial<DraftMenuOption> = {},
  ): DraftMenuOption => ({
    key,
    parentKey,
    option: number,
    title: key,
    message: 'algo',
    leads: 'person',
    forwardQueueId: null,
    ...more,
  })
  it('finds no problem in a valid menu or in an empty one', () => {
    expect(checkMenu([], [])).toEqual([])
    expect(checkMenu([draft('a', null, 1), draft('b', 'a', 1), draft('c', 'a', 2, { leads: 'end' })], [])).toEqual([])
  })
  it.each<[string, DraftMenuOption[], object]>([
    ['a number that is taken', [draft('a', null, 1), draft('b', null, 1)], { kind: 'unreachable', key: 'b' }],
    ['a parent that is not there', [draft('a', null, 1), draft('b', 'z', 1)], { kind: 'unreachable', key: 'b' }],
    ['a circle', [draft('a', null, 1), draft('b', 'c', 1), draft('c', 'b', 1)], { kind: 'unreachable', key: 'b' }],
    ['a number that means back', [draft('a', null, 1), draft('b', null, 0)], { kind: 'unreachable', key: 'b' }],
    [
      'an end without a word',
      [draft('a', null, 1), draft('b', null, 2, { leads: 'end', message: ' ' })],
      { kind: 'dead-end', key: 'b' },
    ],
    [
      'a queue that is gone',
      [draft('a', null, 1, { leads: 'queue', forwardQueueId: 9 })],
      { kind: 'missing-queue', key: 'a' },
    ],
    ['no way to anybody', [draft('a', null, 1, { leads: 'end' })], { kind: 'no-hand-over', key: null }],
    ['a line without words', [draft('a', null, 1, { title: ' ' })], { kind: 'missing-title', key: 'a' }],
  ])('reports %s', (_, options, finding) => {
    expect(checkMenu(options, [1])).toContainEqual(finding)
  })
})
