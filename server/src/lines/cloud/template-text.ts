import type { Template, TemplateVariable } from '@recado/contract/cloud'
import type { Loose } from './loose.ts'

/** Gaps are numbered or named. An address may have one at its end. */
export const gap = /\{\{\s*(\w+)\s*\}\}/g

/** The text as the customer will read it. */
export function renderTemplate({ components }: Template, values: Record<string, string>): string {
  const filled = (type: string, text: string) => text.replace(gap, (_, name: string) => values[`${type}.${name}`] ?? '')
  return components
    .filter((c) => c.type !== 'buttons' && c.text)
    .map((c) => filled(c.type, c.text))
    .join('\n\n')
}

/** What fills the gaps, as Meta takes it. */
export function templateParts({ variables }: Template, values: Record<string, string>): Loose[] {
  const parameter = (v: TemplateVariable) => ({
    type: 'text',
    text: values[v.key] ?? '',
    ...(/^\d+$/.test(v.name) ? {} : { parameter_name: v.name }),
  })
  const part = (type: 'header' | 'body') => {
    const parameters = variables.filter((v) => v.in === type).map(parameter)
    return parameters.length ? [{ type, parameters }] : []
  }
  const buttons = variables
    .filter((v) => v.in === 'button')
    .map((v) => ({
      type: 'button',
      sub_type: 'url',
      index: v.key.replace('button.', ''),
      parameters: [{ type: 'text', text: values[v.key] ?? '' }],
    }))
  return [...part('header'), ...part('body'), ...buttons]
}
