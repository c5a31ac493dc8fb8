import { describe, expect, it } from 'vitest'
import {
  applyRecordNews,
  compareByText,
  type LoadedRows,
  matchesSearchIn,
  mergePage,
  noRowsLoaded,
  type RowPage,
} from './merge-rows.ts'

type Tag = { id: number; name: string }
const rules = { matches: matchesSearchIn<Tag>((tag) => tag.name), order: compareByText<Tag>((tag) => tag.name) }

/** A model of the server's list. */
class Server {
  tags: Tag[] = []
  size = 3
  page(number: number, search = ''): RowPage<Tag> {
    const hits = this.tags.filter((tag) => rules.matches(tag, search)).sort(rules.order)
    const rows = hits.slice((number - 1) * this.size, number * this.size)
    return { rows, count: hits.length, hasMore: hits.length > number * this.size }
  }
}

/** A seeded random generator, so that failures can be reproduced. */
function makeRandom(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const letters = 'abcdefgh'
const randomWord = (roll: (sides: number) => number) =>
  Array.from({ length: 3 }, () => letters[roll(letters.length)]).join('')

/** Makes one change on the server and sends it to the list as an event. */
function change(server: Server, loaded: LoadedRows<Tag>, search: string, roll: (sides: number) => number, id: number) {
  const removedTag = server.tags[roll(server.tags.length)]
  const kind = roll(3)
  if (kind === 0 || !removedTag) {
    const row = { id, name: randomWord(roll) }
    server.tags.push(row)
    return applyRecordNews(loaded, { action: 'create', row }, search, rules)
  }
  if (kind === 1) {
    server.tags = server.tags.filter((tag) => tag !== removedTag)
    return applyRecordNews(loaded, { action: 'delete', id: removedTag.id }, search, rules)
  }
  const row = { id: removedTag.id, name: randomWord(roll) }
  server.tags = server.tags.map((tag) => (tag === removedTag ? row : tag))
  return applyRecordNews(loaded, { action: 'update', row }, search, rules)
}

describe('list with live events', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('equals the reloaded list (random seed %i)', (seed) => {
    const roll = makeRandom(seed)
    const search = seed % 3 === 0 ? 'a' : ''
    const server = new Server()
    for (let id = 1; id <= 20; id++) server.tags.push({ id, name: randomWord(roll) })
    let loaded: LoadedRows<Tag> = mergePage(noRowsLoaded, server.page(1, search), 1)
    for (let step = 0; step < 60; step++) {
      if (loaded.hasMore && roll(6) === 0) {
        loaded = mergePage(loaded, server.page(loaded.next, search), loaded.next)
      } else {
        const result = change(server, loaded, search, roll, 100 + step)
        loaded = result.recount ? mergePage(result.loaded, server.page(1, search), 1) : result.loaded
      }
      const whole = server.tags.filter((tag) => rules.matches(tag, search)).sort(rules.order)
      expect(loaded.rows).toEqual(whole.slice(0, loaded.rows.length))
      expect(loaded.count).toBe(whole.length)
    }
    while (loaded.hasMore) loaded = mergePage(loaded, server.page(loaded.next, search), loaded.next)
    expect(loaded.rows).toEqual(server.tags.filter((tag) => rules.matches(tag, search)).sort(rules.order))
  })

  it('keeps a row that matches the search without accents', () => {
    const found = { ...noRowsLoaded, rows: [{ id: 1, name: 'Árbol' }], count: 1, hasMore: false }
    const news = { action: 'update' as const, row: { id: 1, name: 'Árbol viejo' } }
    expect(applyRecordNews(found, news, 'arbol', rules).loaded.rows).toEqual([news.row])
  })

  it('drops a row that no longer matches the search', () => {
    const loaded = mergePage(
      noRowsLoaded as LoadedRows<Tag>,
      { rows: [{ id: 1, name: 'abc' }], count: 1, hasMore: false },
      1,
    )
    const { loaded: after } = applyRecordNews(loaded, { action: 'update', row: { id: 1, name: 'xyz' } }, 'ab', rules)
    expect(after).toMatchObject({ rows: [], count: 0 })
  })
})
