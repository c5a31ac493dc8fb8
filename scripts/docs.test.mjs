import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/asvs.md'), 'utf8')

test('finds every file named in the security table', () => {
  const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:test|story)\.(?:ts|mjs)|docs\/[\w-]+\.md)`/g)].map(
    ([, path]) => path,
  )
  expect(named.length).toBeGreaterThan(80)
  const isThere = (path) => existsSync(join(root, path)) || existsSync(join(root, 'server', path))
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

const skipped = new Set(['node_modules', '.git', 'dist'])
const listFiles = (folder = '') =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) || path === 'data' ? [] : listFiles(path)
    return [path]
  })
const files = listFiles()
const pages = files.filter((file) => file.endsWith('.md'))
const read = (page) => readFileSync(join(root, page), 'utf8')

test('finds the target of every relative link in the docs', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('finds every source file that the docs mention with its folder', () => {
  // This page uses an example entity that does not exist.
  const checked = pages.filter((page) => page !== 'docs/add-an-entity.md')
  const named = checked.flatMap((page) =>
    [...read(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql|css))`/g)].map(([, path]) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(200)
  const missing = named.filter(
    ({ path }) => !path.endsWith('/x.story.ts') && !files.some((file) => `/${file}`.endsWith(`/${path}`)),
  )
  expect(missing.map(({ page, path }) => `${page}: ${path}`)).toEqual([])
})
