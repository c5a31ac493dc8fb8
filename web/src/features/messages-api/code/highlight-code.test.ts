import { expect, it } from 'vitest'
import { formatJson, highlightCode } from './highlight-code.ts'

it('highlights known tokens and loses no text', () => {
  const json = '{\n  "id": "1",\n  "on": true, "n": -2.5, "odd": "a\\"b: c"\n}'
  const pieces = highlightCode(json, 'json')
  expect(pieces.map(({ text }) => text).join('')).toBe(json)
  expect(pieces.filter(({ kind }) => kind === 'key').map(({ text }) => text)).toEqual(['"id"', '"on"', '"n"', '"odd"'])
  expect(pieces.filter(({ kind }) => kind === 'number').map(({ text }) => text)).toEqual(['true', '-2.5'])
  const shell = `curl 'https://a.test' \\\n  -d 'it'\\''s // no comment'`
  const shown = highlightCode(shell, 'curl')
  expect(shown.map(({ text }) => text).join('')).toBe(shell)
  expect(shown[0]).toEqual({ kind: 'word', text: 'curl' })
  expect(shown.some(({ kind }) => kind === 'quiet')).toBe(false)
})

it('formats valid JSON', () => {
  expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(formatJson('{"a":1, cut')).toBe('{"a":1, cut')
})
