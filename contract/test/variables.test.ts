import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillCampaignText, findUnknownVariables } from '../src/campaigns/texts.ts'
import { renderVariables } from '../src/text/variables.ts'

const moment = { now: new Date('2026-03-10T02:30:05Z'), zone: 'America/Sao_Paulo', language: 'es' as const }
const words = { name: 'Lucía  Pérez', number: '5511987654321', email: '', user: 'Ana', queue: null, ticketId: 7 }

describe('message variables', () => {
  it('show the time in the company’s time zone', () => {
    expect(renderVariables('{{hora}} {{protocol}} {{ms}}', words, moment)).toBe('23:30:05 20260309233005 Buenas noches')
    expect(
      renderVariables('{{hora}} {{gretting}}', words, { ...moment, zone: 'Pacific/Auckland', language: 'en' }),
    ).toBe('15:30:05 Good afternoon')
    expect(renderVariables('{{ms}}', words, { ...moment, zone: 'Europe/Madrid', language: 'pt' })).toBe('Boa noite')
    expect(renderVariables('{{ms}}', words, { ...moment, now: new Date('2026-03-10T11:00:00Z'), language: 'pt' })).toBe(
      'Bom dia',
    )
  })

  it('stay as typed when unknown, and become empty when their value is empty', () => {
    expect(renderVariables('{{queue}}|{{email}}|{{nada}}|{{constructor}}|{{__proto__}}', words, moment)).toBe(
      '{{queue}}||{{nada}}|{{constructor}}|{{__proto__}}',
    )
  })

  it('never throw, and change nothing else in the text', () => {
    const piece = fc.oneof(
      fc.constantFrom('{{', '}}', '{', '}', '{{name', 'name}}', '{{ name }}', '$&', '\\'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const filled = renderVariables(text, { name: 'N' }, moment)
        if (!/\{\{\s*\w+\s*\}\}/.test(text)) expect(filled).toBe(text)
        expect(renderVariables(text.replaceAll('{', ''), { name: 'N' }, moment)).toBe(text.replaceAll('{', ''))
      }),
    )
  })

  it('insert names literally, including special characters', () => {
    expect(renderVariables('hola {{name}}!', { name: '$& {{user}} $1' }, moment)).toBe('hola $& {{user}} $1!')
  })
})

describe('campaign variables', () => {
  const contact = { nome: 'Lucía', email: 'l@x.test', numero: '549111' }
  it('are filled in by their name in any language', () => {
    expect(fillCampaignText('{nombre} {nome} {name} {number} {numero} {email}', [], contact)).toBe(
      'Lucía Lucía Lucía 549111 549111 l@x.test',
    )
    expect(findUnknownVariables('{nombre} {name} {nada}', [])).toEqual(['nada'])
  })

  it('give way to a company’s own variable with the Spanish name "nombre", but not with the older name "nome"', () => {
    const own = [
      { key: 'nombre', value: 'Tienda' },
      { key: 'nome', value: 'Loja' },
    ]
    expect(fillCampaignText('{nombre} {nome}', own, contact)).toBe('Tienda Lucía')
  })
})
