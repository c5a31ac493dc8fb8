import type { Template, TemplateVariable } from '@recado/contract/cloud'
import type { JsonObject } from './untyped-json.ts'

/** Variables are numbered or named. A URL may have a variable at its end. */
export const placeholderPattern = /\{\{\s*(\w+)\s*\}\}/g

/** The text of a template as the customer will read it. */
export function renderTemplate({ components }: Template, values: Record<string, string>): string {
  const fillPlaceholders = (type: string, text: string) =>
    text.replace(placeholderPattern, (_, name: string) => values[`${type}.${name}`] ?? values.code ?? '')
  return components
    .filter((c) => c.type !== 'buttons' && c.text)
    .map((c) => fillPlaceholders(c.type, c.text))
    .join('\n\n')
}

/** The variable values in Meta's format. The header file is added when the message is sent: Meta deletes uploads. */
export function buildTemplateParameters(
  { variables, components }: Template,
  values: Record<string, string>,
): JsonObject[] {
  if (variables.some((v) => v.in === 'code')) return buildCodeParameters(values.code ?? '')
  const kinds = components.flatMap((c) => c.buttons.map((b) => b.type))
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
    .map((v) => {
      const index = v.key.replace('button.', '')
      return buildButtonParameter(
        index,
        kinds[Number(index)] === 'copy_code' ? 'copy_code' : 'url',
        values[v.key] ?? '',
      )
    })
  return [...part('header'), ...part('body'), ...buttons]
}

const buildButtonParameter = (index: string, sub_type: 'url' | 'copy_code', text: string): JsonObject => ({
  type: 'button',
  sub_type,
  index,
  parameters: [sub_type === 'url' ? { type: 'text', text } : { type: 'coupon_code', coupon_code: text }],
})

const buildCodeParameters = (text: string): JsonObject[] => [
  { type: 'body', parameters: [{ type: 'text', text }] },
  buildButtonParameter('0', 'url', text),
]
