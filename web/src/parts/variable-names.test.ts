import { expect, test } from 'vitest'
import { encodeVariables, nameVariables } from './variable-names.ts'

test('shows variables by their names, and stores what was shown as it was', () => {
  const stored = '{{ms}}, {{ firstName }}: {{user}} de {{queue}} te escribe. {{gretting}} {{name}}{{hora}}'
  const shown = nameVariables(stored)
  expect(shown).toBe(
    '{Saludo del momento}, {Primer nombre}: {Agente} de {Cola} te escribe. {Saludo del momento} {Nombre completo}{Hora}',
  )
  expect(encodeVariables(shown)).toBe(
    '{{ms}}, {{firstName}}: {{user}} de {{queue}} te escribe. {{ms}} {{name}}{{hora}}',
  )
})

test('leaves everything else as it was typed', () => {
  for (const text of ['{nombre}', '{{1}}', '{{firstname}}', '{{Hora}}', '{ }', 'a {{{Hora}}} b', '{Hora', '{{name']) {
    expect(nameVariables(text)).toBe(text)
    expect(encodeVariables(text)).toBe(text)
  }
  // Codes typed by hand keep working.
  expect(encodeVariables('Hola {{firstName}}')).toBe('Hola {{firstName}}')
})
