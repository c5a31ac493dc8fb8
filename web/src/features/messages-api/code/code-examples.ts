export const codeLanguages = ['curl', 'javascript', 'python', 'php'] as const
export type CodeLanguage = (typeof codeLanguages)[number]
export const codeLanguageNames: Record<CodeLanguage, string> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
}

/** One API call, independent of a language. */
export type SampleCall = {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  json?: Record<string, unknown>
  form?: { fields: Record<string, string>; file: string }
}
/** The server's URL and the credential. */
export type ApiTarget = { base: string; key: string }

/** The form field name of files. */
const fileField = 'medias'

/** Writes a call as code in this language. Its texts may contain any character. */
export const writeExample = (language: CodeLanguage, place: ApiTarget, sample: SampleCall): string =>
  writers[language](sampleUrl(place, sample), sampleHeaders(place, sample), sample)

const sampleUrl = ({ base }: ApiTarget, { path, query }: SampleCall) => {
  const search = new URLSearchParams(query).toString()
  return `${base}${path}${search && `?${search}`}`
}
const sampleHeaders = ({ key }: ApiTarget, { headers, json }: SampleCall): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  ...headers,
  ...(json && { 'Content-Type': 'application/json' }),
})

type ExampleWriter = (address: string, headers: Record<string, string>, sample: SampleCall) => string

// ---- quoting

/** A shell changes nothing between single quotes; a literal single quote is placed outside of them. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** JavaScript and Python both accept JSON escapes. */
export const quoteForScript = (text: string): string => JSON.stringify(text)
/** PHP single quotes support two escapes and no variables. */
export const quoteForPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

// ---- literal values

type LiteralGrammar = {
  text: (text: string) => string
  key: (name: string) => string
  objectBrackets: [string, string]
  listBrackets: [string, string]
  trueLiteral: string
  falseLiteral: string
  nullLiteral: string
}
const plainName = /^[A-Za-z_$][\w$]*$/
const grammars: Record<'javascript' | 'python' | 'php', LiteralGrammar> = {
  javascript: {
    text: quoteForScript,
    key: (name) => `${plainName.test(name) ? name : quoteForScript(name)}: `,
    ...{
      objectBrackets: ['{', '}'],
      listBrackets: ['[', ']'],
      trueLiteral: 'true',
      falseLiteral: 'false',
      nullLiteral: 'null',
    },
  },
  python: {
    text: quoteForScript,
    key: (name) => `${quoteForScript(name)}: `,
    ...{
      objectBrackets: ['{', '}'],
      listBrackets: ['[', ']'],
      trueLiteral: 'True',
      falseLiteral: 'False',
      nullLiteral: 'None',
    },
  },
  php: {
    text: quoteForPhp,
    key: (name) => `${quoteForPhp(name)} => `,
    ...{
      objectBrackets: ['[', ']'],
      listBrackets: ['[', ']'],
      trueLiteral: 'true',
      falseLiteral: 'false',
      nullLiteral: 'null',
    },
  },
}

/** Writes a value over several rows; the first row has no indentation. */
function writeLiteral(value: unknown, grammar: LiteralGrammar, step: string, indent: string): string {
  if (typeof value === 'string') return grammar.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? grammar.trueLiteral : grammar.falseLiteral
  if (value === null || value === undefined) return grammar.nullLiteral
  const inner = indent + step
  const [open, close] = Array.isArray(value) ? grammar.listBrackets : grammar.objectBrackets
  const items = Array.isArray(value)
    ? value.map((one) => writeLiteral(one, grammar, step, inner))
    : Object.entries(value).map(([name, one]) => `${grammar.key(name)}${writeLiteral(one, grammar, step, inner)}`)
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

// ---- languages

/** The file name is quoted, because characters such as `;` and `,` have a meaning to curl. */
const curlFile = (name: string) => `@"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const writeCurl: ExampleWriter = (address, headers, { method, json, form }) => {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(address)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(json ? [`-d ${quoteForShell(JSON.stringify(json, null, 2).replaceAll('\n', '\n  '))}`] : []),
    // Unlike -F, --form-string takes the text literally, even if it starts with a special character.
    ...Object.entries(form?.fields ?? {}).map(([name, value]) => `--form-string ${quoteForShell(`${name}=${value}`)}`),
    ...(form ? [`-F ${quoteForShell(`${fileField}=${curlFile(form.file)}`)}`] : []),
  ]
  return parts.join(' \\\n  ')
}

const writeJavascript: ExampleWriter = (address, headers, { method, json, form }) => {
  const write = (value: unknown, indent = '  ') => writeLiteral(value, grammars.javascript, '  ', indent)
  const before = form
    ? [
        'import { openAsBlob } from "node:fs"',
        '',
        'const form = new FormData()',
        ...Object.entries(form.fields).map(
          ([name, value]) => `form.append(${quoteForScript(name)}, ${quoteForScript(value)})`,
        ),
        `form.append(${quoteForScript(fileField)}, await openAsBlob(${quoteForScript(form.file)}), ${quoteForScript(form.file)})`,
        '',
      ]
    : []
  return [
    ...before,
    `const response = await fetch(${quoteForScript(address)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${quoteForScript(method)},`]),
    `  headers: ${write(headers)},`,
    ...(json ? [`  body: JSON.stringify(${write(json)}),`] : []),
    ...(form ? ['  body: form,'] : []),
    '})',
    'console.log(response.status, await response.json())',
  ].join('\n')
}

const writePython: ExampleWriter = (address, headers, { method, json, form }) => {
  const write = (value: unknown) => writeLiteral(value, grammars.python, '    ', '    ')
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoteForScript(address)},`,
    `    headers=${write(headers)},`,
    ...(json ? [`    json=${write(json)},`] : []),
    ...(form
      ? [
          `    data=${write(form.fields)},`,
          `    files=[(${quoteForScript(fileField)}, open(${quoteForScript(form.file)}, "rb"))],`,
        ]
      : []),
    ')',
    'print(response.status_code, response.json())',
  ].join('\n')
}

const writePhp: ExampleWriter = (address, headers, { method, json, form }) => {
  const write = (value: unknown) => writeLiteral(value, grammars.php, '    ', '    ')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const file = (fields: string) =>
    // The file is not a string, so it is appended last.
    fields.replace(
      / {4}\]$/,
      () => `        ${quoteForPhp(fileField)} => new CURLFile(${quoteForPhp(form?.file ?? '')}),\n    ]`,
    )
  return [
    '<?php',
    `$request = curl_init(${quoteForPhp(address)});`,
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

const writers: Record<CodeLanguage, ExampleWriter> = {
  curl: writeCurl,
  javascript: writeJavascript,
  python: writePython,
  php: writePhp,
}
