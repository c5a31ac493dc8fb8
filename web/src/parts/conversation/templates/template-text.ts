import type { Template } from '@recado/contract/cloud'
import { fold } from '@recado/contract/text/fold'

export type TemplateValues = Record<string, string>
type Component = Template['components'][number]

/** The component's text as the customer will read it; an empty placeholder stays visible. */
export const fillComponent = ({ type, text }: Pick<Component, 'type' | 'text'>, values: TemplateValues): string =>
  text.replaceAll(
    /\{\{\s*([\w-]+)\s*\}\}/g,
    (gap, name: string) => (values[`${type}.${name}`] ?? values.code)?.trim() || gap,
  )

/** The whole text of the template as it will appear in the conversation. */
export const renderTemplateText = ({ components }: Template, values: TemplateValues): string =>
  components
    .filter(({ type, text }) => type !== 'buttons' && text)
    .map((component) => fillComponent(component, values))
    .join('\n\n')

/** The text of a template with the examples that were given to Meta, or a gap where there is none. */
export const templateExample = (template: Template): string => {
  const examples = Object.fromEntries(template.variables.map(({ key, example }) => [key, example]))
  return fillComponent({ type: 'body', text: templateBody(template) }, examples).replaceAll(
    /\{\{[^{}]{0,80}\}\}/g,
    '____',
  )
}

const templateBody = ({ components }: Template): string => components.find(({ type }) => type === 'body')?.text ?? ''

/** The keys of empty placeholders; a missing required file counts as an empty placeholder. */
export const findMissingValues = (
  { variables, media }: Template,
  values: TemplateValues,
  file: File | null = null,
): string[] => [
  ...(media && !file ? ['media'] : []),
  ...variables.map(({ key }) => key).filter((key) => !values[key]?.trim()),
]

/** Header files that Meta accepts, with size limits. */
export const templateMediaRules = {
  image: { accept: '.jpg,.jpeg,.png', accepted: 'JPG, PNG', limit: 5_000_000 },
  video: { accept: '.mp4,.3gp', accepted: 'MP4, 3GP', limit: 16_000_000 },
  document: { accept: '', accepted: 'PDF, DOCX, XLSX…', limit: 100_000_000 },
}

/** Matches every word in the name or text. Meta uses underscores for blanks. */
export function searchTemplates(templates: Template[], search: string): Template[] {
  const wanted = fold(search).split(/\s+/).filter(Boolean)
  return templates.filter((template) => {
    const text = fold(`${template.name.replaceAll('_', ' ')} ${template.name} ${templateBody(template)}`)
    return wanted.every((word) => text.includes(word))
  })
}
