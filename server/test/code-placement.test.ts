import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Rules that must be implemented in one place. A duplicate fails the test with the place of the original. */
const root = new URL('../../', import.meta.url)
const code = ['contract/src/', 'server/src/', 'web/src/'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file: folder + file, text: readFileSync(new URL(folder + file, root), 'utf8') })),
)
const filesMatching = (rule: RegExp, ...places: string[]) =>
  code.filter(({ file, text }) => rule.test(text) && !places.includes(file)).map(({ file }) => file)

describe('rules in one place', () => {
  it('finds source files to check', () => {
    expect(code.length).toBeGreaterThan(500)
    expect(filesMatching(/export function isTicketVisibleTo/)).toEqual(['contract/src/visibility.ts'])
  })

  it('decides permissions only in contract/src/rules.ts and visibility.ts', () => {
    const profile = /profile\??\.?\s*[!=]==?\s*['"`]|['"`](user|supervisor|admin)['"`]\s*[!=]==?\s*[\w.?]*profile/
    expect(filesMatching(profile)).toEqual([])
  })

  it('folds search texts only in contract/src/text/fold.ts', () => {
    // In these files, file names and highlighted words are normalized but keep their accents.
    const files = [
      'server/src/kernel/files/files.ts',
      'server/src/desk/messages/compose.ts',
      'server/src/directory/ai/knowledge/search-words.ts',
    ]
    expect(
      filesMatching(/\.normalize\('NF|\\p\{(M|Diacritic)\}|toLocaleLowerCase/, 'contract/src/text/fold.ts', ...files),
    ).toEqual([])
    expect(filesMatching(/toLowerCase\(\)\s*\.(includes|startsWith|indexOf)\(/)).toEqual([])
    expect(filesMatching(/unaccent/)).toEqual([])
  })
})
