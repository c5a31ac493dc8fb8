import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { codeLanguages, quoteForPhp, type SampleCall, writeExample } from './code-examples.ts'

/** Characters with a special meaning in a shell, a script, a template or a form, and line breaks. */
const specialCharacterTexts = [
  `it's "quoted" \`run\` $HOME \${HOME} $(id) \\ \\' \\" %s {{name}} !`,
  'two\nlines\r\nand\ttabs',
  '@file <file ;type=text/html &a=b #c // /* */ <?php ?> </script>',
  'ñandú çÇ ÿ 日本 👩‍👩‍👧 \u2028\u2029 \u007f \u0001',
  "'",
  "\\'; DROP",
  '\\',
]
const apiTarget = { base: 'https://viajes.example.test', key: `k'"$\\!` }
const sampleOf = (body: string): SampleCall => ({
  method: 'POST',
  path: '/api/messages/send',
  headers: { 'Idempotency-Key': `it's` },
  json: { number: '5490005550452', body, queueId: 3, closeTicket: true, nothing: null, list: ['a', body] },
})
const formOf = (body: string): SampleCall => ({
  method: 'POST',
  path: '/api/messages/send',
  form: { fields: { number: '5490005550452', body }, file: `a;b,"c"'d.jpg` },
})
const python = spawnSync('python3', ['--version']).status === 0

/** Runs the code in bash and returns the arguments that the shell passes to curl. */
const inBash = (code: string): string[] =>
  execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
const argumentsAfter = (all: string[], flag: string) => all.filter((_, i) => all[i - 1] === flag)

/** Runs a JavaScript example and returns the request it would send. */
async function runExample(code: string): Promise<{ address: string; init: RequestInit }> {
  let seen: { address: string; init: RequestInit } | undefined
  const fetch = async (address: string, init: RequestInit) => {
    seen = { address, init }
    return { status: 202, json: async () => ({}) }
  }
  const openAsBlob = async (name: string) => new Blob([name])
  const body = code.replace(/^import .*\n/, '').replace('console.log', 'void ')
  await new Function('fetch', 'openAsBlob', `return (async () => { ${body}\n })()`)(fetch, openAsBlob)
  if (!seen) throw new Error('nothing was asked')
  return seen
}

describe('code examples', () => {
  it.each(specialCharacterTexts)('pass their text to curl unchanged: %j', (text) => {
    const all = inBash(writeExample('curl', apiTarget, sampleOf(text)))
    expect(argumentsAfter(all, '-X')).toEqual(['POST'])
    expect(all).toContain('https://viajes.example.test/api/messages/send')
    expect(argumentsAfter(all, '-H')).toEqual([
      `Authorization: Bearer ${apiTarget.key}`,
      `Idempotency-Key: it's`,
      'Content-Type: application/json',
    ])
    expect(JSON.parse(argumentsAfter(all, '-d')[0] ?? '')).toEqual(sampleOf(text).json)
    const form = inBash(writeExample('curl', apiTarget, formOf(text)))
    expect(argumentsAfter(form, '--form-string')).toEqual(['number=5490005550452', `body=${text}`])
    expect(argumentsAfter(form, '-F')).toEqual([`medias=@"a;b,\\"c\\"'d.jpg"`])
  })

  it.each(specialCharacterTexts)('send their text unchanged when run as JavaScript: %j', async (text) => {
    const { address, init } = await runExample(writeExample('javascript', apiTarget, sampleOf(text)))
    expect(address).toBe('https://viajes.example.test/api/messages/send')
    expect(init).toMatchObject({ method: 'POST', headers: { Authorization: `Bearer ${apiTarget.key}` } })
    expect(JSON.parse(String(init.body))).toEqual(sampleOf(text).json)
    const form = (await runExample(writeExample('javascript', apiTarget, formOf(text)))).init.body as FormData
    expect(form.get('body')).toBe(text)
    expect((form.get('medias') as File).name).toBe(`a;b,"c"'d.jpg`)
  })

  it.skipIf(!python)('send their text unchanged when run as Python', () => {
    const stub = `
import json, sys, types
class Reply:
    status_code = 202
    def json(self): return {}
def post(url, **more):
    sys.stderr.write(json.dumps([url, more], default=str) + "\\n")
    return Reply()
sys.modules["requests"] = types.SimpleNamespace(post=post)
open = lambda name, mode: name
`
    const codes = specialCharacterTexts.flatMap((text) =>
      [sampleOf(text), formOf(text)].map((one) => writeExample('python', apiTarget, one)),
    )
    const input = [stub, ...codes].join('\n')
    const calls = spawnSync('python3', ['-'], { input, encoding: 'utf8' }).stderr.trim().split('\n')
    expect(calls.map((call) => JSON.parse(call))).toEqual(
      specialCharacterTexts.flatMap((text) => [
        [`${apiTarget.base}/api/messages/send`, { headers: expect.anything(), json: sampleOf(text).json }],
        [
          `${apiTarget.base}/api/messages/send`,
          {
            headers: { Authorization: `Bearer ${apiTarget.key}` },
            data: formOf(text).form?.fields,
            files: [['medias', `a;b,"c"'d.jpg`]],
          },
        ],
      ]),
    )
  })

  it('contain correctly terminated PHP strings', () => {
    // PHP may not be installed: parse single-quoted strings as PHP does, where only \\ and \' are escapes.
    for (const text of specialCharacterTexts) {
      const written = quoteForPhp(text)
      const inner = written.slice(1, -1)
      expect(inner.replace(/\\\\|\\'/g, '')).not.toContain("'")
      expect(inner.replace(/\\([\\'])/g, '$1')).toBe(text)
    }
    const code = writeExample('php', apiTarget, formOf('x    ]'))
    expect(code).toContain(`        'body' => 'x    ]',\n        'medias' => new CURLFile('a;b,"c"\\'d.jpg'),\n    ],`)
  })

  it('put query parameters into the URL', () => {
    const sample: SampleCall = {
      method: 'GET',
      path: '/api/messages',
      query: { since: '2026-11-01T00:00:00Z', number: "a'b" },
    }
    for (const language of codeLanguages) {
      expect(writeExample(language, apiTarget, sample)).toContain(
        '/api/messages?since=2026-11-01T00%3A00%3A00Z&number=a%27b',
      )
      expect(writeExample(language, apiTarget, sample)).not.toContain('Content-Type')
    }
  })
})
