import { expect, it } from 'vitest'
import { callFailureTexts, describeCallFailure } from './call-failures.ts'

it('translates known reasons, and shows a program’s own text unchanged', () => {
  expect(describeCallFailure(callFailureTexts.es, 'timeout:3')).toBe('no respondió en 3 segundos')
  expect(describeCallFailure(callFailureTexts.pt, 'unreachable:connect ECONNREFUSED 127.0.0.1:9')).toBe(
    'não dá para conectar (connect ECONNREFUSED 127.0.0.1:9)',
  )
  expect(describeCallFailure(callFailureTexts.es, 'unreachable')).toBe('no se puede conectar')
  expect(describeCallFailure(callFailureTexts.en, 'resting')).toBe("it wasn't responding and is paused")
  expect(['500 not now', 'constructor', '']).toEqual(
    ['500 not now', 'constructor', ''].map((code) => describeCallFailure(callFailureTexts.es, code)),
  )
})
