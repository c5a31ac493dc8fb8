import { TextInput } from '@mantine/core'
import { maxOneTimeCodeLength, type Template } from '@recado/contract/cloud'
import { IconExternalLink, IconFileText, IconMovie, IconPhoto, IconTemplate } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { FileField } from '../../../records/fields/file-field.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { RichText } from '../../message/body/rich-text-view.tsx'
import { fillComponent, type TemplateValues, templateMediaRules } from './template-text.ts'
import classes from './templates.module.css'
import { texts } from './texts.ts'

type Props = {
  template: Template | null
  values: TemplateValues
  setValue: (key: string, value: string) => void
  /** The header file, for templates with a header file. */
  file: File | null
  setFile: (file: File | null) => void
  uploadedShare?: number | undefined
  missingKeys: string[]
  contact: string
}

/** The placeholders of the chosen template, with a preview below. */
export function TemplateForm({
  template,
  values,
  setValue,
  file,
  setFile,
  uploadedShare,
  missingKeys,
  contact,
}: Props) {
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
      {template.media && (
        <FileField
          key={template.id}
          label={words.media[template.media]}
          withAsterisk
          {...templateMediaRules[template.media]}
          value={{ file, stored: null }}
          uploadedShare={uploadedShare}
          error={missingKeys.includes('media') && <FieldError>{words.missingFile}</FieldError>}
          onChange={(value) => setFile(value.file)}
        />
      )}
      {template.variables.map(({ key, in: place, name, example }) => (
        <TextInput
          key={`${template.id} ${key}`}
          label={words.variable[place](name)}
          required
          maxLength={place === 'code' ? maxOneTimeCodeLength : 1024}
          {...(place === 'code' && { inputMode: 'numeric' })}
          autoComplete="off"
          placeholder={example && words.example(example)}
          value={values[key] ?? ''}
          error={missingKeys.includes(key) && <FieldError>{words.missing}</FieldError>}
          onChange={({ currentTarget: { value } }) =>
            setValue(key, place === 'code' ? value.replaceAll(/\W/g, '') : value)
          }
        />
      ))}
      <p className={classes.label}>{words.seen(contact)}</p>
      <Preview template={template} values={values} file={file} />
    </section>
  )
}

const icons = { image: IconPhoto, video: IconMovie, document: IconFileText }

/** The header file above the text, or a placeholder for it. */
function MediaHeader({ kind, file }: { kind: NonNullable<Template['media']>; file: File | null }) {
  const address = useObjectUrl(kind === 'image' ? file : null)
  const Icon = icons[kind]
  return address ? (
    <img className={classes.picture} src={address} alt="" />
  ) : (
    <div className={classes.room}>
      <Icon size={24} stroke={1.5} aria-hidden="true" />
      {file && <span>{file.name}</span>}
    </div>
  )
}

function useObjectUrl(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setAddress(null)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

function Preview({ template, values, file }: { template: Template; values: TemplateValues; file: File | null }) {
  return (
    <div className={classes.paper}>
      <div className={classes.bubble}>
        {template.media && <MediaHeader kind={template.media} file={file} />}
        {template.components.map((component) => {
          if (component.type === 'buttons' || !component.text) return null
          return (
            <div key={component.type} className={classes[component.type]}>
              <RichText text={fillComponent(component, values)} />
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
