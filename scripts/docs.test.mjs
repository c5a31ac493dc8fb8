import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
