import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Checks the language guide as far as a program can: exported names say what a thing is or does, in the words of the
 * field. Words that this project once used in a sense of its own must not come back, nor names that are only a participle.
 */
const root = new URL('../../', import.meta.url)
const folders = ['contract/src', 'server', 'web/src', 'whatsapp', 'e2e', 'bench', 'client']
const files = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist|output)\//.test(file))
    .map((file) => `${folder}/${file}`),
)

/** Every exported name of a source, however it is exported. */
function exportedNames(code: string): string[] {
  const declared = code.matchAll(
    /^export (?:declare )?(?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm,
  )
  const unpacked = [...code.matchAll(/^export const [{[]([^=]*)[}\]] =/gm)].flatMap(([, list]) =>
    (list as string).split(',').map((one) => /(\w+)\s*$/.exec(one)?.[1] ?? ''),
  )
  const listed = [...code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    (list as string).split(',').map((one) => /(\w+)\s*$/.exec(one)?.[1] ?? ''),
  )
  return [...[...declared].map(([, name]) => name as string), ...unpacked, ...listed].filter(Boolean)
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter(Boolean)

/** Old word -> the word that replaced it. */
const retiredWords: Record<string, string> = {
  means: 'deps',
  told: 'published',
  teller: 'dispatcher',
  deed: 'action',
  deeds: 'actions',
  ear: 'socketClient',
  ears: 'listeners',
  portion: 'batch',
  portions: 'batches',
  leg: 'segment',
  legs: 'segments',
  errand: 'lineTask',
  errands: 'lineTasks',
  crowd: 'batch',
  abreast: 'inBatch',
  furniture: 'fixtures',
  apart: 'inWorker',
  sight: 'visibility',
  wish: 'request',
  wishes: 'requests',
  patience: 'timeout',
  papers: 'exports',
  victim: 'childServer',
  house: 'server',
  houses: 'servers',
}

const participles = new Set(
  'asked been begun bought brought built chosen come done drawn driven fallen felt found given gone heard held kept known left lost made met paid put read said seen sent set shown spoken stood taken thought told understood wanted woken written alone apart behind fresh gone loose most more newest outside past plain standing still whole'.split(
    ' ',
  ),
)
const isBareParticiple = (name: string): boolean => {
  const words = wordsOf(name)
  return words.length === 1 && (participles.has(words[0] as string) || /[a-z]{2}(ed|ing)$/.test(words[0] as string))
}

/** Names that are allowed although a rule forbids them, with the reason. */
const allowed: Record<string, string> = {
  put: 'the HTTP method',
  Setting: 'a noun: a setting of a company',
  Pacing: 'a noun: how fast a line sends',
  Drawing: 'a noun: a picture that is drawn',
  Recording: 'a noun: recorded audio',
  Addressing: 'a noun: the addresses of a message',
  Linking: 'a noun: the process of linking a phone',
}

describe('exported names', () => {
  const names = files.flatMap((file) =>
    exportedNames(readFileSync(new URL(file, root), 'utf8')).map((name) => ({ file, name })),
  )

  it('are read from every kind of export statement', () => {
    const code =
      'export const a = 1\nexport async function b() {}\nexport type C = 1\nexport const { d, e: f } = x\nexport { g as h, i } from "./j"\n'
    expect(exportedNames(code)).toEqual(['a', 'b', 'C', 'd', 'f', 'h', 'i'])
    expect(names.length).toBeGreaterThan(4000)
  })

  it('use no retired word', () => {
    const found = names.flatMap(({ file, name }) =>
      wordsOf(name)
        .filter((word) => Object.hasOwn(retiredWords, word) && !(name in allowed))
        .map((word) => `${file}: ${name} (${word} is now ${retiredWords[word]})`),
    )
    expect(found).toEqual([])
  })

  it('are no bare participles or adjectives', () => {
    const found = names.filter(({ name }) => isBareParticiple(name) && !(name in allowed))
    expect(found.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('have no exception for a name that no longer exists', () => {
    expect(Object.keys(allowed).filter((name) => !names.some((one) => one.name === name))).toEqual([])
  })
})

describe('file names', () => {
  const riddles = new Set(
    'tell told said silence standing hits past newest senses spoken heard facts outside behind more deeds means asked kept shown given ways sight'.split(
      ' ',
    ),
  )
  it('say what is in the file', () => {
    const nameOf = (file: string) => /([^/]+?)(\.(test|story|module))?\.tsx?$/.exec(file)?.[1] ?? ''
    expect(files.filter((file) => riddles.has(nameOf(file)))).toEqual([])
  })
})
