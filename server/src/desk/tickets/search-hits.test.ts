import { describe, expect, it } from 'vitest'
import { makeSearchHit } from './search-hits.ts'

const hit = (body: string, words: string) => {
  const { before, words: found, after } = makeSearchHit({ id: '1', body }, words)
  return [before, found, after]
}

describe('a search hit', () => {
  it('is cut around the match, without line breaks, at whole characters', () => {
    const body = `${'😀'.repeat(40)} la\n\nCañería ${'x'.repeat(500)}`
    const [before, found, after] = hit(body, 'caneria') as [string, string, string]
    expect(before).toBe(`…${'😀'.repeat(20)} la `)
    expect(found).toBe('Cañería')
    expect([...`${before}${found}${after}`].length).toBe(142)
    expect(after.endsWith('…')).toBe(true)
  })

  it('is found quickly in the longest possible text', () => {
    const began = process.threadCpuUsage()
    for (let n = 0; n < 40; n++)
      expect(hit(`${'áé '.repeat(20_000)}aquí${' ó'.repeat(2000)}`, 'AQUI')).toEqual([
        `…${'áé '.repeat(8)}`,
        'aquí',
        expect.stringMatching(/^( ó)+…$/),
      ])
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(8000)
  })

  it('matches across combining accents, and at the start and end of the text', () => {
    expect(hit('sen\u0303or Pérez', 'senor p')).toEqual(['', 'sen\u0303or P', 'érez'])
    expect(hit('hola', 'HOLA')).toEqual(['', 'hola', ''])
    expect(hit('el fin', 'fin')).toEqual(['el ', 'fin', ''])
  })

  it('has the right position if folding turns one letter into two', () => {
    expect(hit('Straße', 'strasse')).toEqual(['', 'Straße', ''])
  })
})
