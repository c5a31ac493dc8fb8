import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, relative } from 'node:path'
import { sections } from '@recado/contract/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xmlPieces } from '../src/kernel/files/xml-stream.ts'
import { openApi } from '../src/kernel/http/docs.ts'
import { closeHouses, type House, house } from './house.ts'

/** Claims of docs/asvs.md about all of our code, which no test of one feature holds. */

const root = join(import.meta.dirname, '../..')
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !/\.test\.tsx?$/.test(file.name))
    .map((file) => relative(root, join(file.parentPath, file.name)))
const programs = ['server/src', 'server/moving', 'server/keeping', 'server/demo', 'contract/src', 'web/src']
const writing = (pattern: RegExp, folders = programs) =>
  folders.flatMap(sources).filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))

let h: House
beforeAll(async () => {
  h = await house()
})
afterAll(closeHouses)

describe('1.2.5: programs are started', () => {
  it('with their arguments as a list and never through a shell', () => {
    const starting = writing(/node:child_process/)
    expect(starting.length).toBeGreaterThan(2)
    for (const file of starting) {
      const text = readFileSync(join(root, file), 'utf8')
      const names = /import \{([^}]*)\} from 'node:child_process'/.exec(text)?.[1] ?? 'none'
      for (const name of names.split(',').map((one) => one.trim().replace(/^type /, '')))
        expect(['spawn', 'spawnSync', 'execFile', 'fork', 'ChildProcess'], `${file}: ${name}`).toContain(name)
      expect(text, file).not.toMatch(/\bshell\s*:/)
    }
  })
})

describe('1.3.2, 3.2.2: nothing that came in', () => {
  it('is run as code or set as HTML', () => {
    expect(writing(/\beval\(|new Function\(|node:vm/)).toEqual([])
    expect(writing(/dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\s*=|insertAdjacentHTML|document\.write/)).toEqual(
      [],
    )
  })

  it('may be run by a page, by its policy', async () => {
    const page = await h.anyone.ask('GET', '/login', undefined, { accept: 'text/html' })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'nonce-/)
    expect(policy).not.toContain('unsafe-eval')
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toContain('unsafe-inline')
  })
})

describe('1.5.1: XML', () => {
  it('has no entities of its own: what a document defines is never put in', async () => {
    async function* document() {
      yield Buffer.from('<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a "boom"><!ENTITY f SYSTEM "file:///etc/passwd">]>')
      yield Buffer.from('<t>&a;&f;</t>')
    }
    const pieces = []
    for await (const some of xmlPieces(document())) pieces.push(...some)
    const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('')
    expect(texts).toContain('&a;&f;')
    expect(texts).not.toMatch(/root:|^boom/)
  })
})

describe('2.1.1: the documentation', () => {
  it('says how long and how many, wherever a text or a list comes in', () => {
    const document = JSON.stringify(openApi(sections, '1', '/'))
    const body = /"\/users":\{.*?"post":(\{.*?"responses")/s.exec(document)?.[1] ?? ''
    expect(body).toContain('"maxLength":50')
    expect(body).toContain('"maxItems":500')
  })
})

describe('3.7.2: we send nobody elsewhere', () => {
  it('no answer is a redirect', () => {
    expect(writing(/\.redirect\(|header\(['"]location['"]|\.code\(30\d\)|writeHead\(30\d/i, ['server/src'])).toEqual([])
  })
})

describe('13.4.4: TRACE', () => {
  it('is not answered with what was sent', async () => {
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const call = request(
        `${h.address}/version`,
        { method: 'TRACE', headers: { 'x-secret': 'mirror-me' } },
        (reply) => {
          let text = ''
          reply.on('data', (piece) => {
            text += piece
          })
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
        },
      )
      call.on('error', reject)
      call.end()
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('mirror-me')
  })
})
