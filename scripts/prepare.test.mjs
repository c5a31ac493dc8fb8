import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { here } from './platform.mjs'

const rooms = mkdtempSync(join(tmpdir(), 'recado-prepare-'))
afterAll(() => rmSync(rooms, { recursive: true, force: true }))

const other = { os: ['win32'], cpu: ['ia32'] }
const mine = { os: [here.os], cpu: [here.cpu], ...(here.libc && { libc: [here.libc] }) }
const part = (fitting) => ({ version: '1.2.19', optional: true, integrity: 'sha512-part', ...fitting })
const plain = { version: '1.0.0', integrity: 'sha512-plain' }

/** Fake npm: installs the contents of `registry.json`, counts calls, and answers `npm view`. */
const npm = `
  const { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } = require('node:fs')
  const [verb, wanted] = process.argv.slice(2)
  appendFileSync('asked', verb + '\\n')
  const has = JSON.parse(readFileSync('registry.json', 'utf8'))
  if (verb === 'view') {
    const found = has['node_modules/' + wanted.slice(0, wanted.lastIndexOf('@'))]
    if (wanted.endsWith('@' + found?.version)) process.exit(console.log(JSON.stringify(found.integrity)))
    console.log(JSON.stringify({ error: { code: 'E404', summary: 'No match' } }))
    process.exit(1)
  }
  mkdirSync('node_modules/.bin', { recursive: true })
  if (!existsSync('node_modules/.bin/node')) symlinkSync(process.execPath, 'node_modules/.bin/node')
  for (const path of Object.keys(has)) {
    mkdirSync(path, { recursive: true })
    writeFileSync(path + '/package.json', '{}')
  }
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: has }))
`

let root
beforeEach(() => {
  root = mkdtempSync(join(rooms, 'clone-'))
  for (const name of ['prepare.mjs', 'platform.mjs', 'lock-check.mjs'])
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name))
  put('package.json', { workspaces: [] })
  put('npm.cjs', npm)
})

const put = (name, content) =>
  writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
const lock = (packages) => put('package-lock.json', { packages: { '': {}, ...packages } })
const asked = () => {
  const times = existsSync(join(root, 'asked')) ? readFileSync(join(root, 'asked'), 'utf8') : ''
  return times.split('\n').filter(Boolean)
}

function run(script, registry) {
  put('registry.json', registry)
  const env = { ...process.env, npm_execpath: join(root, 'npm.cjs'), npm_node_execpath: process.execPath }
  return new Promise((resolve) => {
    execFile(process.execPath, [`scripts/${script}.mjs`, '--no-build'], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

describe('installing in a fresh clone', () => {
  it('installs every package for this platform, and does not call npm again afterwards', async () => {
    const packages = { 'node_modules/plain': plain, 'node_modules/@x/mine': part(mine) }
    lock({
      ...packages,
      'node_modules/@x/other': part(other),
      'node_modules/only-for-it': { ...plain, optional: true },
    })
    expect(await run('prepare', packages)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('prepare', packages)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(asked()).toEqual(['install'])
  })

  it('fails when a package for this platform is missing, and names the package in one sentence', async () => {
    lock({ 'node_modules/plain': plain, 'node_modules/deep/node_modules/@x/mine': part(mine) })
    const { code, stderr } = await run('prepare', { 'node_modules/plain': plain })
    const machine = [here.os, here.cpu, here.libc].filter(Boolean).join(' ')
    expect(stderr.trim()).toBe(
      `npm did not install what package-lock.json names: @x/mine 1.2.19 (the part for ${machine}) is missing.`,
    )
    expect(code).toBe(1)
  })

  it('calls npm again when a listed package has no folder or another version', async () => {
    const packages = { 'node_modules/@x/mine': part(mine) }
    lock(packages)
    await run('prepare', packages)
    rmSync(join(root, 'node_modules/@x/mine'), { recursive: true })
    expect(await run('prepare', packages)).toMatchObject({ code: 0 })
    const newer = { 'node_modules/@x/mine': { ...part(mine), version: '1.2.20' } }
    lock(newer)
    expect(await run('prepare', newer)).toMatchObject({ code: 0 })
    expect(asked()).toEqual(['install', 'install', 'install'])
  })

  it.runIf(here.os === 'linux')('skips the package for the other C library', async () => {
    const packages = { 'node_modules/@x/gnu': part({ ...mine, libc: ['glibc'] }) }
    const both = { ...packages, 'node_modules/@x/musl': part({ ...mine, libc: ['musl'] }) }
    lock(both)
    expect(await run('prepare', here.libc === 'glibc' ? packages : both)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('lock file', () => {
  it('has a checksum for every package except build tools of other platforms', () => {
    const { packages: all } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
    const fetched = Object.entries(all).filter(([path, { link }]) => path.includes('node_modules/') && !link)
    expect(fetched.length).toBeGreaterThan(300)
    const bare = fetched.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
    expect(bare.filter(([path]) => !/^node_modules\/(@biomejs\/cli|@rolldown\/binding)-/.test(path))).toEqual([])
    expect(bare.filter(([, { optional }]) => !optional)).toEqual([])
  })

  const arm = part({ os: ['linux'], cpu: ['arm64'], libc: ['glibc'] })
  const packages = { 'node_modules/tool-linux-arm64-gnu': arm, 'node_modules/tool-win32': part(other) }

  it('passes when the registry has every native package', async () => {
    lock(packages)
    const { code, stdout } = await run('lock-check', packages)
    expect(stdout).toContain('linux arm64 glibc 1 native parts, all there')
    expect(code).toBe(0)
    // On Windows, which is not supported, only `npm view` was called.
    expect(asked()).toEqual(['view'])
  })

  it('fails when a native package is unavailable, differs, or is missing in the lock', async () => {
    lock(packages)
    expect(await run('lock-check', {})).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('tool-linux-arm64-gnu@1.2.19 cannot be had'),
    })
    const forged = { 'node_modules/tool-linux-arm64-gnu': { ...arm, integrity: 'sha512-another' } }
    expect(await run('lock-check', forged)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('tool-linux-arm64-gnu@1.2.19 is not what the lock names'),
    })
    lock({ 'node_modules/tool': { ...plain, optionalDependencies: { 'tool-linux-x64-gnu': '1.2.19' } } })
    expect(await run('lock-check', {})).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('tool-linux-x64-gnu@1.2.19 is not in the lock'),
    })
  })
})
