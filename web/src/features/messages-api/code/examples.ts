export const codeLanguages = ['curl', 'javascript', 'python', 'php'] as const
export type CodeLanguage = (typeof codeLanguages)[number]
export const codeNames: Record<CodeLanguage, string> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
}

/** One call, in no language yet. */
export type Sample = {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  json?: Record<string, unknown>
  form?: { fields: Record<string, string>; file: string }
}
/** Whose server it is, and what opens it. */
export type Place = { base: string; key: string }

/** The name under which files travel. */
const fileField = 'medias'

/** A call as a program of this language writes it. Every text in it may hold every sign. */
export const exampleOf = (language: CodeLanguage, place: Place, sample: Sample): string =>
  writers[language](addressOf(place, sample), headersOf(place, sample), sample)

const addressOf = ({ base }: Place, { path, query }: Sample) => {
  const search = new URLSearchParams(query).toString()
  return `${base}${path}${search && `?${search}`}`
}
const headersOf = ({ key }: Place, { headers, json }: Sample): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  ...headers,
  ...(json && { 'Content-Type': 'application/json' }),
})

type Writer = (address: string, headers: Record<string, string>, sample: Sample) => string

// ---- texts

/** Between single quotes a shell changes nothing; one that is meant stands outside of them. */
export const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** Both languages read JSON's own escapes. */
export const inScript = (text: string): string => JSON.stringify(text)
/** Between single quotes PHP knows two escapes and no variables. */
export const inPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

// ---- values

type Grammar = {
  text: (text: string) => string
  key: (name: string) => string
  open: [string, string]
  list: [string, string]
  yes: string
  no: string
  nothing: string
}
const plainName = /^[A-Za-z_$][\w$]*$/
const grammars: Record<'javascript' | 'python' | 'php', Grammar> = {
  javascript: {
    text: inScript,
    key: (name) => `${plainName.test(name) ? name : inScript(name)}: `,
    ...{ open: ['{', '}'], list: ['[', ']'], yes: 'true', no: 'false', nothing: 'null' },
  },
  python: {
    text: inScript,
    key: (name) => `${inScript(name)}: `,
    ...{ open: ['{', '}'], list: ['[', ']'], yes: 'True', no: 'False', nothing: 'None' },
  },
  php: {
    text: inPhp,
    key: (name) => `${inPhp(name)} => `,
    ...{ open: ['[', ']'], list: ['[', ']'], yes: 'true', no: 'false', nothing: 'null' },
  },
}

/** A value over several lines, the first of which stands where it is put. */
function literal(value: unknown, grammar: Grammar, step: string, indent: string): string {
  if (typeof value === 'string') return grammar.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? grammar.yes : grammar.no
  if (value === null || value === undefined) return grammar.nothing
  const inner = indent + step
  const [open, close] = Array.isArray(value) ? grammar.list : grammar.open
  const items = Array.isArray(value)
    ? value.map((one) => literal(one, grammar, step, inner))
    : Object.entries(value).map(([name, one]) => `${grammar.key(name)}${literal(one, grammar, step, inner)}`)
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

// ---- languages

/** A file's name stands in quotes of its own: signs such as `;` and `,` mean something to curl. */
const curlFile = (name: string) => `@"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const curl: Writer = (address, headers, { method, json, form }) => {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(address)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(json ? [`-d ${inShell(JSON.stringify(json, null, 2).replaceAll('\n', '\n  '))}`] : []),
    // Unlike -F this takes a text as it stands, whatever sign it begins with.
    ...Object.entries(form?.fields ?? {}).map(([name, value]) => `--form-string ${inShell(`${name}=${value}`)}`),
    ...(form ? [`-F ${inShell(`${fileField}=${curlFile(form.file)}`)}`] : []),
  ]
  return parts.join(' \\\n  ')
}

const javascript: Writer = (address, headers, { method, json, form }) => {
  const write = (value: unknown, indent = '  ') => literal(value, grammars.javascript, '  ', indent)
  const before = form
    ? [
        'import { openAsBlob } from "node:fs"',
        '',
        'const form = new FormData()',
        ...Object.entries(form.fields).map(([name, value]) => `form.append(${inScript(name)}, ${inScript(value)})`),
        `form.append(${inScript(fileField)}, await openAsBlob(${inScript(form.file)}), ${inScript(form.file)})`,
        '',
      ]
    : []
  return [
    ...before,
    `const response = await fetch(${inScript(address)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${inScript(method)},`]),
    `  headers: ${write(headers)},`,
    ...(json ? [`  body: JSON.stringify(${write(json)}),`] : []),
    ...(form ? ['  body: form,'] : []),
    '})',
    'console.log(response.status, await response.json())',
  ].join('\n')
}

const python: Writer = (address, headers, { method, json, form }) => {
  const write = (value: unknown) => literal(value, grammars.python, '    ', '    ')
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${inScript(address)},`,
    `    headers=${write(headers)},`,
    ...(json ? [`    json=${write(json)},`] : []),
    ...(form
      ? [`    data=${write(form.fields)},`, `    files=[(${inScript(fileField)}, open(${inScript(form.file)}, "rb"))],`]
      : []),
    ')',
    'print(response.status_code, response.json())',
  ].join('\n')
}

const php: Writer = (address, headers, { method, json, form }) => {
  const write = (value: unknown) => literal(value, grammars.php, '    ', '    ')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const file = (fields: string) =>
    // The file is no text, and comes last of the fields.
    fields.replace(/ {4}\]$/, () => `        ${inPhp(fileField)} => new CURLFile(${inPhp(form?.file ?? '')}),\n    ]`)
  return [
    '<?php',
    `$request = curl_init(${inPhp(address)});`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_HTTPHEADER => ${write(lines)},`,
    ...(json ? [`    CURLOPT_POSTFIELDS => json_encode(${write(json)}),`] : []),
    ...(form ? [`    CURLOPT_POSTFIELDS => ${file(write(form.fields))},`] : []),
    ...(method === 'POST' && !json && !form ? ['    CURLOPT_POST => true,'] : []),
    ']);',
    'echo curl_exec($request);',
  ].join('\n')
}

const writers: Record<CodeLanguage, Writer> = { curl, javascript, python, php }
