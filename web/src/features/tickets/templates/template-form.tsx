import { TextInput } from '@mantine/core'
import type { Template } from '@recado/contract/cloud'
import { IconExternalLink, IconTemplate } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { RichWords } from '../thread/rich-words.tsx'
import { type Values, wordsOf } from './template-words.ts'
import classes from './templates.module.css'
import { texts } from './texts.ts'

type Props = {
  template: Template | null
  values: Values
  fill: (key: string, value: string) => void
  missing: string[]
  contact: string
}

/** The gaps of the chosen one, and below them what the customer will see. */
export function TemplateForm({ template, values, fill, missing, contact }: Props) {
  const words = useTexts(texts)
  if (!template)
    return (
      <section className={classes.chosen} aria-label={words.preview}>
        <EmptyState icon={<IconTemplate size={26} stroke={1.6} />} title={words.choose} line={words.chooseLine} />
      </section>
    )
  return (
    <section className={classes.chosen} aria-label={words.preview}>
      <h3 className={classes.name}>{template.name}</h3>
      {template.variables.map(({ key, in: place, name, example }) => (
        <TextInput
          key={`${template.id} ${key}`}
          label={words.variable[place](name)}
          required
          maxLength={1024}
          autoComplete="off"
          placeholder={example && words.example(example)}
          value={values[key] ?? ''}
          error={missing.includes(key) && <FieldError>{words.missing}</FieldError>}
          onChange={(event) => fill(key, event.currentTarget.value)}
        />
      ))}
      <p className={classes.label}>{words.seen(contact)}</p>
      <Preview template={template} values={values} />
    </section>
  )
}

function Preview({ template, values }: { template: Template; values: Values }) {
  return (
    <div className={classes.paper}>
      <div className={classes.bubble}>
        {template.components.map((component) => {
          if (component.type === 'buttons') return null
          return (
            <div key={component.type} className={classes[component.type]}>
              <RichWords text={wordsOf(component, values)} />
            </div>
          )
        })}
      </div>
      {template.components.flatMap(({ buttons }) =>
        buttons.map(({ text, url }) => (
          <div key={text} className={classes.button}>
            {url && <IconExternalLink size={14} stroke={2} aria-hidden="true" />}
            {text}
          </div>
        )),
      )}
    </div>
  )
}
