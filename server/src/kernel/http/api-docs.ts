import type { Endpoint } from '@recado/contract/endpoint'
import { errorCatalog } from '@recado/contract/error-catalog'
import { rules } from '@recado/contract/rules'
import { z } from 'zod'
import { contentTypeForFile } from './routes.ts'
import { type JsonSchema, makeExample } from './schema-examples.ts'

type Sections = Record<string, Record<string, Endpoint>>

/** A shape of the contract as a schema: for input or for output. */
export function toJsonSchema(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const override = (ctx: SchemaContext) => {
    // The entity of an id is our own annotation and not part of OpenAPI.
    if ('entity' in ctx.jsonSchema) {
      ctx.jsonSchema['x-entity'] = ctx.jsonSchema.entity
      delete ctx.jsonSchema.entity
    }
    if (io === 'input') adjustInputSchema(ctx)
  }
  return z.toJSONSchema(shape, { io, unrepresentable: 'any', target: 'openapi-3.0', override }) as JsonSchema
}

type SchemaContext = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }
type ZodDefinition = { type: string; in?: z.ZodType; out?: z.ZodType; shape?: Record<string, z.ZodType> }
/**
 * A preprocessed field accepts more than its schema says; the schema of its result is documented. A field is optional if
 * its absence is accepted.
 */
function adjustInputSchema({ zodSchema, jsonSchema }: SchemaContext) {
  const { type, in: first, out, shape } = zodSchema._zod.def as ZodDefinition
  if (type === 'pipe' && out && (first?.def as ZodDefinition | undefined)?.type === 'transform') {
    const { $schema: _, ...meant } = toJsonSchema(out, 'input')
    Object.assign(jsonSchema, meant)
  }
  if (!shape) return
  const required = Object.keys(shape).filter((key) => !(shape[key] as z.ZodType).safeParse(undefined).success)
  delete jsonSchema.required
  if (required.length) jsonSchema.required = required
}
/** The schemas of an object's fields; for any other shape (a list, a union) the shape as a whole. */
const fieldsOf = (shape: z.ZodType) => {
  const whole = toJsonSchema(shape, 'input')
  return whole.properties ?? whole
}
const describeAccess = (e: Endpoint) =>
  e.access in rules ? rules[e.access as keyof typeof rules].join(', ') : e.access
/** The API key scope that the endpoint requires. */
const describeKeyScope = (e: Endpoint) =>
  e.key
    ? `key with the scope ${e.key}${e.token ? ', or the token of a connection' : ''}${e.lines ? '' : ', of all lines'}`
    : ''

function parameters(e: Endpoint) {
  const from = (shape: z.ZodType | undefined, place: 'path' | 'query') => {
    const s = shape ? toJsonSchema(shape, 'input') : {}
    return Object.entries(s.properties ?? {}).map(([name, of]) => ({
      name,
      in: place,
      required: place === 'path' || (s.required ?? []).includes(name),
      schema: of,
      ...(place === 'path' && { example: makeExample(of, name) }),
    }))
  }
  const named = {
    ...{ name: 'Idempotency-Key', in: 'header', required: false },
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'reserva-1042',
  }
  return [...from(e.params, 'path'), ...from(e.query, 'query'), ...(e.idempotent ? [named] : [])]
}

function requestBody(e: Endpoint) {
  const fields = e.body ? toJsonSchema(e.body, 'input') : undefined
  const example = fields && { example: e.example ?? makeExample(fields) }
  const json = fields && { 'application/json': { schema: fields, ...example } }
  if (!e.upload) return json && { required: true, content: json }
  const file = { type: 'string', format: 'binary' }
  const files = { [e.upload]: { type: 'array', items: file }, ...(e.beside && { [e.beside]: file }) }
  const form = { schema: { type: 'object', properties: { ...fields?.properties, ...files } }, ...example }
  // A form with fields can also be sent as JSON without files.
  return { content: { ...json, 'multipart/form-data': form } }
}

/** The OpenAPI document, from the contract alone. */
export function buildOpenApiDocument(sections: Sections, version: string, server: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, section] of Object.entries(sections)) {
    for (const [name, e] of Object.entries(section)) {
      const reply = toJsonSchema(e.reply, 'output')
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][e.method.toLowerCase()] = {
        tags: [tag],
        operationId: `${tag}.${name}`,
        summary: e.about,
        description: [
          `Who: ${describeAccess(e)}`,
          e.plan && `Plan: ${e.plan}`,
          e.key && `Programs: ${describeKeyScope(e)}`,
        ]
          .filter(Boolean)
          .join('. '),
        ...(e.access === 'public' && { security: [] }),
        ...(e.key && { security: [{ bearer: [] }, { key: [] }], 'x-key-scope': e.key }),
        parameters: parameters(e),
        ...(requestBody(e) && { requestBody: requestBody(e) }),
        responses: {
          [e.status ?? 200]: {
            description: 'Done',
            content: e.stream
              ? Object.fromEntries(e.stream.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
              : {
                  [e.file ? (contentTypeForFile(e.file).split(';')[0] as string) : 'application/json']: {
                    schema: reply,
                    ...(!e.file && { example: makeExample(reply) }),
                  },
                },
          },
          default: {
            description: 'Refused, with a code of the catalogue',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
      }
    }
  }
  const codes = Object.keys(errorCatalog)
  return {
    openapi: '3.0.3',
    info: {
      title: 'Recado',
      version,
      description:
        'Errors answer {"error": CODE}. 401 and 403 speak of the session, or the key, alone: 401 ends it, 403 asks to refresh it or names a scope that is missing.',
    },
    servers: [{ url: server }],
    tags: Object.keys(sections).map((name) => ({ name })),
    security: [{ bearer: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The session of a person' },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key for programs (rk_…), or the token of a connection where the call says so',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          properties: {
            error: { type: 'string', enum: codes },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
          },
          required: ['error'],
        },
      },
    },
    paths,
  }
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)
const renderJson = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

/** Renders the contract as one HTML page, without a script. */
export function renderDocsPage(sections: Sections, version: string): string {
  const entry = (
    e: Endpoint,
  ) => `<details><summary><b class="${e.method.toLowerCase()}">${e.method}</b> <code>${escapeHtml(e.path)}</code> <span>${escapeHtml(e.about)}</span></summary>
<p>Who: <i>${escapeHtml(describeAccess(e))}</i>${e.plan ? ` · plan: <i>${e.plan}</i>` : ''}${e.key ? ` · programs: <i>${describeKeyScope(e)}</i>` : ''}</p>
${e.query ? `<h4>Query</h4>${renderJson(fieldsOf(e.query))}` : ''}${e.upload ? `<h4>Multipart</h4><p>files in <code>${e.upload}</code>${e.beside ? `, one in <code>${e.beside}</code>` : ''}</p>` : ''}
${e.body ? `<h4>Body</h4>${renderJson(fieldsOf(e.body))}` : ''}${e.example ? `<h4>Example</h4>${renderJson(e.example)}` : ''}
<h4>Reply</h4>${renderJson(toJsonSchema(e.reply, 'output'))}</details>`
  const part = ([name, section]: [string, Record<string, Endpoint>]) =>
    `<section id="${name}"><h2>${name}</h2>${Object.values(section).map(entry).join('\n')}</section>`
  const rows = Object.entries(errorCatalog).map(
    ([c, status]) => `<tr><td><code>${c}</code></td><td>${status}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Recado API ${version}</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><header><h1>Recado API</h1><p>Version ${version} · <a href="/docs/json">OpenAPI document</a> · log in with <code>POST /auth/login</code>, then send <code>Authorization: Bearer …</code>; a program sends its key there</p>
<nav>${Object.keys(sections)
    .map((s) => `<a href="#${s}">${s}</a>`)
    .join(' ')} <a href="#errors">errors</a></nav></header>
<main>${Object.entries(sections).map(part).join('\n')}
<section id="errors"><h2>errors</h2><p>Every refusal answers <code>{"error": CODE}</code>; <code>fields</code> names the inputs to mend.</p><table>${rows.join('')}</table></section></main></body></html>`
}

export const docsStylesheet = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:0 auto;max-width:960px;padding:24px 16px}
h1{font-size:28px;margin:0}h2{font-size:20px;margin:32px 0 8px;text-transform:capitalize}h4{margin:12px 0 4px}
nav a{margin-right:12px}summary{cursor:pointer;padding:6px 0}summary span{opacity:.75}details{border-bottom:1px solid #8884}
pre{overflow:auto;padding:8px 12px;background:#8881;border-radius:8px;font-size:12px}b{display:inline-block;min-width:56px;font-size:12px}
.get{color:#137f93}.post{color:#2e9e52}.put{color:#a86a00}.delete{color:#d73434}td{padding:2px 16px 2px 0}`
