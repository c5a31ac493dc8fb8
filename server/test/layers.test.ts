import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The layers of each package, lowest first. A file may import from its own layer and from any layer below it. */
const packagesWithLayers = {
  server: {
    src: new URL('../src/', import.meta.url),
    floors: [
      'kernel',
      'lines',
      'accounts',
      'directory',
      'desk',
      'automation',
      'infrastructure.ts',
      'app.ts',
      'server.ts',
      'main.ts',
    ],
  },
  web: {
    src: new URL('../../web/src/', import.meta.url),
    floors: ['lib', 'ui', 'records', 'parts', 'features', 'app', 'main.tsx'],
  },
}
/** Layers between the kernel and the wiring: they never access the database directly. */
const middleLayers = ['lines', 'accounts', 'directory', 'desk', 'automation']

/**
 * The files for messages, tickets and the tickets screen, lowest layer first: a message does not depend on a ticket, nor a
 * thread on its composer. A file belongs to the longest name in this list with which its own name begins.
 */
const ofTickets = [
  ...['body', '', 'composer', 'emoji', 'media', 'recorder', 'reactions', 'bubble', 'attach'].map(
    (one) => `parts/message/${one}`,
  ),
  'parts/ticket/',
  ...[
    'outgoing',
    'messages',
    'find',
    'forward',
    'thread',
    'assist',
    'composer',
    'templates',
    'dialogs',
    'head',
    '',
  ].map((one) => `parts/conversation/${one}`),
  ...['filters', 'selection', 'views', 'list', 'contact', ''].map((one) => `features/tickets/${one}`),
]

const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** Every import of a file (static, side-effect or dynamic); relative imports as a path from `src`. */
function importsIn(src: URL, file: string): string[] {
  const code = readFileSync(new URL(file, src), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const named = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\s]+)'/g)].map(([, to]) => to as string)
  return named.map((to) =>
    to.startsWith('.') ? new URL(to, new URL(file, src)).pathname.slice(src.pathname.length) : to,
  )
}

/** Every TypeScript file of the project, and the project files it imports. */
function everyImport(): Map<string, string[]> {
  const named = { '@recado/contract/': 'contract/src/', '@recado/whatsapp/': 'whatsapp/src/' }
  const root = new URL('../../', import.meta.url)
  const files = ['server', 'contract', 'whatsapp', 'bench', 'e2e', 'web', 'scripts'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist|output)\//.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const ours = (to: string) => {
    const [name, place] = Object.entries(named).find(([start]) => to.startsWith(start)) ?? []
    return name ? `${place}${to.slice(name.length)}.ts` : to
  }
  return new Map(files.map((file) => [file, importsIn(root, file).map(ours)]))
}

/** Folders with too many files to see their content at a glance. */
const crowded = (files: string[]): string[] =>
  [...Map.groupBy(files, (file) => file.replace(/[^/]*$/, ''))]
    .filter(([, held]) => held.length > 35)
    .map(([folder, held]) => `${folder} ${held.length}`)

/** The first import cycle found from a file, or nothing. */
function circleFrom(file: string, imports: Map<string, string[]>, trail: string[], done: Set<string>): string[] {
  if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
  if (done.has(file)) return []
  for (const to of imports.get(file) ?? []) {
    const circle = circleFrom(to, imports, [...trail, file], done)
    if (circle.length) return circle
  }
  done.add(file)
  return []
}

// Type imports count, too: two files that depend on each other should be one file, or need a third file that
// both depend on.
it('has no import cycle in any folder', () => {
  const imports = everyImport()
  const count = (folder: string) => [...imports.keys()].filter((file) => file.startsWith(folder)).length
  for (const folder of ['server/src', 'server/demo', 'server/test', 'contract', 'whatsapp', 'bench', 'e2e', 'web/src'])
    expect(count(folder), folder).toBeGreaterThan(5)
  const links = [...imports.values()].flat().filter((to) => imports.has(to))
  expect(links.length).toBeGreaterThan(2 * imports.size)
  const done = new Set<string>()
  const circles = [...imports.keys()].map((file) => circleFrom(file, imports, [], done).join(' -> '))
  expect([...new Set(circles)].filter(Boolean)).toEqual([])
})

for (const [name, { src, floors }] of Object.entries(packagesWithLayers)) {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !isTest(file),
  )
  const imports = new Map(files.map((file) => [file, importsIn(src, file)]))
  const isOurs = (to: string) => imports.has(to)
  const floorOf = (path: string) => floors.indexOf(path.split('/')[0] as string)
  const pairs = files.flatMap((file) => (imports.get(file) ?? []).map((to) => ({ file, to })))
  const shown = (found: typeof pairs) => found.map(({ file, to }) => `${file} -> ${to}`)

  describe(`the layers of ${name}`, () => {
    it('contain files to check', () => {
      expect(files.length).toBeGreaterThan(20)
      expect(pairs.filter(({ to }) => isOurs(to)).length).toBeGreaterThan(files.length)
    })

    it('cover every file', () => {
      expect(files.filter((file) => floorOf(file) < 0)).toEqual([])
    })

    it('have no folder with more than 35 sources', () => {
      expect(crowded(files)).toEqual([])
    })

    it('import nothing from a higher layer', () => {
      expect(shown(pairs.filter(({ file, to }) => isOurs(to) && floorOf(to) > floorOf(file)))).toEqual([])
    })

    it('import no test and nothing outside the package', () => {
      const strange = ({ to }: { to: string }) =>
        isTest(to) ||
        (to.includes('/') && !isOurs(to) && !to.startsWith('@') && existsSync(new URL(to, src)) && /\.tsx?$/.test(to))
      expect(shown(pairs.filter(strange))).toEqual([])
    })
  })

  if (name === 'web') {
    it('separate messages, tickets and the tickets screen', () => {
      const longest = (path: string) =>
        ofTickets.filter((one) => path.startsWith(one)).reduce((a, b) => (b.length > a.length ? b : a), '')
      const floorInside = (path: string) => ofTickets.indexOf(longest(path))
      expect(ofTickets.filter((one) => !files.some((file) => longest(file) === one))).toEqual([])
      expect(
        shown(pairs.filter(({ file, to }) => floorInside(file) >= 0 && floorInside(to) > floorInside(file))),
      ).toEqual([])
    })

    it('keep screen.ts files small, because every browser loads them before the login', () => {
      const light = /^(@tabler\/icons-react|@tanstack\/react-router|lib\/screen\.ts)$/
      const said = files.filter((file) => /^features\/.*\/screen\.ts$/.test(file))
      const heavy = said.flatMap((file) => {
        const lazy = [...readFileSync(new URL(file, src), 'utf8').matchAll(/import\('\.\/([^']+)'\)/g)].map(
          ([, to]) => to,
        )
        const own = file.replace('screen.ts', '')
        const now = (imports.get(file) ?? []).filter((to) => !lazy.some((page) => to === own + page) && !light.test(to))
        return now.map((to) => `${file} -> ${to}`)
      })
      expect(said.length).toBeGreaterThan(12)
      expect(heavy).toEqual([])
    })

    it('never import one screen from another', () => {
      const screen = (path: string) => /^features\/([^/]+)/.exec(path)?.[1]
      expect(shown(pairs.filter(({ file, to }) => screen(file) && screen(to) && screen(file) !== screen(to)))).toEqual(
        [],
      )
    })
  }
  if (name === 'server') {
    it('open the database only in the kernel', () => {
      const isBetween = (file: string) => middleLayers.includes(file.split('/')[0] as string)
      expect(
        shown(
          pairs.filter(
            ({ file, to }) =>
              isBetween(file) && (to === 'kernel/data/database.ts' || /^(pg|postgres|graphile-worker)(\/|$)/.test(to)),
          ),
        ),
      ).toEqual([])
    })

    it('query no table of a higher layer in the kernel', () => {
      const verbs = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|\w+Join)\('(\w+)/g
      const asked = files
        .filter((file) => file.startsWith('kernel/'))
        .flatMap((file) => [...readFileSync(new URL(file, src), 'utf8').matchAll(verbs)].map(([, table]) => table))
      expect([...new Set(asked)].sort()).toEqual(['platformSecrets', 'storedFiles'])
    })

    it('have no two folders above the kernel that import each other', () => {
      // A file directly in its layer counts as a folder of its own. The kernel is left out: its scope contains files,
      // jobs, live updates and outgoing calls, which in turn use the scope.
      const folderOf = (file: string) => (file.split('/').length <= 2 ? file : file.replace(/\/[^/]*$/, ''))
      const links = new Map<string, string[]>()
      for (const { file, to } of pairs)
        if (isOurs(to) && middleLayers.includes(file.split('/')[0] as string) && folderOf(file) !== folderOf(to))
          links.set(folderOf(file), [...(links.get(folderOf(file)) ?? []), folderOf(to)])
      expect(links.size).toBeGreaterThan(60)
      const done = new Set<string>()
      const circles = [...links.keys()].map((folder) => circleFrom(folder, links, [], done).join(' -> '))
      expect([...new Set(circles)].filter(Boolean)).toEqual([])
    })

    it('let the lines layer depend only on the kernel', () => {
      const outside = ({ file, to }: { file: string; to: string }) =>
        file.startsWith('lines/') && isOurs(to) && !/^(lines|kernel)\//.test(to)
      expect(shown(pairs.filter(outside))).toEqual([])
    })

    it('keep the contract as the lowest layer, without imports or crowded folders', () => {
      const contract = new URL('../../contract/src/', import.meta.url)
      const inside = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
      const foreign = inside.flatMap((file) =>
        importsIn(contract, file)
          .filter((to) => to !== 'zod' && !inside.includes(to))
          .map((to) => `${file} -> ${to}`),
      )
      expect(foreign).toEqual([])
      expect(crowded(inside)).toEqual([])
    })
  }
}

/** Matches code that compares with one provider of lines, in TypeScript or SQL. */
const kindAsked =
  /\bprovider\w*\)?\s*[!=]==?\s*'|'(?:beta|cloud|sandbox)'\s*[!=]==|\bcase '(?:beta|cloud|sandbox)':|\bprovider\b"?\s*(?:=|<>|!=|in)\s*\(?'/

it('compare no provider above the lines layer: its traits are used instead', () => {
  expect("if (line.provider === 'cloud')").toMatch(kindAsked)
  expect("where w.provider = 'beta'").toMatch(kindAsked)
  expect("(body.provider ?? before.provider) !== 'cloud'").toMatch(kindAsked)
  expect('body.provider !== before.provider').not.toMatch(kindAsked)
  const places = [
    packagesWithLayers.server.src,
    packagesWithLayers.web.src,
    new URL('../../contract/src/', import.meta.url),
  ]
  const asking = places.flatMap((src) =>
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !file.startsWith('lines/'))
      .filter((file) => kindAsked.test(readFileSync(new URL(file, src), 'utf8'))),
  )
  expect(asking).toEqual([])
})
