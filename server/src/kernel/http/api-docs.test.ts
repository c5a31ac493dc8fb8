import { endpoints } from '@recado/contract/api'
import { errorCatalog } from '@recado/contract/error-catalog'
import { rules } from '@recado/contract/rules'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

type Operation = {
  tags: string[]
  summary: string
  description: string
  operationId: string
  security?: object[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object; example?: object }> }
  responses: Record<string, { content: Record<string, { example?: unknown }> }>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>>
}

let harness: TestServer
let doc: Document
beforeAll(async () => {
  harness = await testServer()
  const answer = await harness.anonymous.request<Document>('GET', '/docs/json')
  expect(answer.status).toBe(200)
  doc = answer.body
})
afterAll(closeTestServers)

const operationOf = (e: { method: string; path: string }) =>
  doc.paths[e.path.replace(/:(\w+)/g, '{$1}')]?.[e.method.toLowerCase()]

/** Every object in the document, with its path. */
function* nodes(value: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (Array.isArray(value)) for (const [n, one] of value.entries()) yield* nodes(one, `${path}[${n}]`)
  else if (value && typeof value === 'object') {
    yield [path, value as Record<string, unknown>]
    for (const [key, one] of Object.entries(value))
      if (key !== 'example' && key !== 'default' && key !== 'enum') yield* nodes(one, `${path}.${key}`)
  }
}

describe('the OpenAPI document', () => {
  it('has every endpoint of the contract, and nothing else', () => {
    expect(endpoints.filter((e) => !operationOf(e)).map((e) => `${e.method} ${e.path}`)).toEqual([])
    expect(Object.values(doc.paths).flatMap((methods) => Object.keys(methods))).toHaveLength(endpoints.length)
    expect(doc.paths['/version']?.get).toMatchObject({ security: [] })
    expect(doc.openapi).toMatch(/^3\.0\.\d$/)
    expect(doc.info).toMatchObject({ title: 'Recado', version: '6.0.0' })
    expect(doc.servers[0]?.url).toMatch(/^(\/|https?:\/\/[^:]+(:[1-9]\d*)?)$/)
  })

  const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const answersWith = ({ file, stream }: { file?: string; stream?: readonly string[] }) =>
    stream?.[0] ?? (file?.endsWith('.csv') ? 'text/csv' : file?.endsWith('.xlsx') ? workbook : 'application/json')

  it('describes the access, the input and the output of each endpoint', () => {
    for (const e of endpoints) {
      const o = operationOf(e) as Operation
      const where = `${e.method} ${e.path}`
      expect(o.summary, where).toBe(e.about)
      expect(o.tags, where).toHaveLength(1)
      expect(o.description, where).toContain(
        e.access in rules ? rules[e.access as keyof typeof rules].join(', ') : e.access,
      )
      expect(o.security, where).toEqual(e.access === 'public' ? [] : e.key ? [{ bearer: [] }, { key: [] }] : undefined)
      if (e.key) expect(o.description, where).toContain(`scope ${e.key}`)
      const inPath = o.parameters.filter((p) => p.in === 'path')
      expect(inPath.map((p) => p.name).sort(), where).toEqual([...e.path.matchAll(/:(\w+)/g)].map((m) => m[1]).sort())
      expect(
        inPath.every((p) => p.required),
        where,
      ).toBe(true)
      expect(o.responses, where).toMatchObject({
        [e.status ?? 200]: { content: { [answersWith(e)]: {} } },
        default: {},
      })
      if (e.upload)
        for (const field of [e.upload, e.beside ?? e.upload])
          expect(o.requestBody?.content, where).toHaveProperty(['multipart/form-data', 'schema', 'properties', field])
      else if (e.body) expect(o.requestBody?.content, where).toHaveProperty(['application/json', 'schema'])
      else expect(o.requestBody, where).toBeUndefined()
    }
  })

  it('uses only OpenAPI 3.0 schemas, and all references resolve', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']
    const strange: string[] = []
    for (const [path, node] of nodes(doc, '')) {
      const inSchema = /schema|schemas/.test(path) && !/\.properties$/.test(path)
      if (inSchema && 'type' in node && !types.includes(node.type as string))
        strange.push(`${path} type ${JSON.stringify(node.type)}`)
      if (inSchema && node.type === 'array' && !('items' in node)) strange.push(`${path} without items`)
      for (const word of ['$schema', 'const', 'prefixItems', 'propertyNames', '$defs', 'definitions'])
        if (inSchema && word in node) strange.push(`${path} ${word}`)
      if (typeof node.$ref === 'string') {
        const found = node.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], doc)
        if (!found) strange.push(`${path} ${node.$ref}`)
      }
    }
    expect(strange).toEqual([])
  })

  it('passes an OpenAPI validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(doc))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const names = Object.values(doc.paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId))
    expect(new Set(names).size).toBe(endpoints.length)
  })

  it('has a valid example of every request and response', () => {
    for (const e of endpoints) {
      const o = operationOf(e) as Operation
      const where = `${e.method} ${e.path}`
      for (const content of Object.values(o.requestBody?.content ?? {}))
        if (e.body) expect([where, e.body.safeParse(content.example).error?.issues]).toEqual([where, undefined])
      if (e.file || e.stream) continue
      const example = o.responses[e.status ?? 200]?.content['application/json']?.example
      expect([where, e.reply.safeParse(example).error?.issues]).toEqual([where, undefined])
    }
  })

  it('lists every error code', () => {
    expect(doc.components.schemas?.Error).toMatchObject({ properties: { error: { enum: Object.keys(errorCatalog) } } })
  })
})

describe('the API page', () => {
  it('shows every endpoint and every code, without a script', async () => {
    const page = await harness.anonymous.request<string>('GET', '/docs', undefined, { accept: 'text/html' })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = page.body as unknown as string
    for (const e of endpoints) expect(text).toContain(`<code>${e.path}</code>`)
    for (const code of Object.keys(errorCatalog)) expect(text).toContain(code)
    expect(text).not.toMatch(/<script|onclick|style="/)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*style-src 'self'/)
    const style = await harness.anonymous.request('GET', '/docs/style.css')
    expect([style.status, style.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/css')])
    expect((await harness.anonymous.request('GET', '/docs/')).status).toBe(200)
  })
})
