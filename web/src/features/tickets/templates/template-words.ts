import type { Template } from '@recado/contract/cloud'

export type Values = Record<string, string>
type Component = Template['components'][number]

/** Its text as the customer will read it; a gap that is still empty stays a gap, and can be seen. */
export const wordsOf = ({ type, text }: Pick<Component, 'type' | 'text'>, values: Values): string =>
  text.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (gap, name: string) => values[`${type}.${name}`]?.trim() || gap)

/** What stands for it in the list. */
export const bodyOf = ({ components }: Template): string => components.find(({ type }) => type === 'body')?.text ?? ''

/** Which gaps are still empty, by key. */
export const emptyOf = ({ variables }: Template, values: Values): string[] =>
  variables.map(({ key }) => key).filter((key) => !values[key]?.trim())

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** By its name or by what it says, every word of it. Underscores are how Meta writes blanks. */
export function found(templates: Template[], search: string): Template[] {
  const wanted = plain(search).split(/\s+/).filter(Boolean)
  return templates.filter((template) => {
    const text = plain(`${template.name.replaceAll('_', ' ')} ${template.name} ${bodyOf(template)}`)
    return wanted.every((word) => text.includes(word))
  })
}
