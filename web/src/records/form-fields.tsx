import { Tabs } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { FieldSlot, FormField, FormValues } from './fields/field.ts'
import { FieldInput } from './fields/field-input.tsx'
import classes from './form.module.css'

/** `note`: a hint that a field in this tab deserves attention, without being an error. */
export type FormTab = { key: string; label: string; note?: string | undefined }

type Props<V extends FormValues> = Pick<FieldSlot<V>, 'form' | 'progress'> & {
  fields: FormField<V>[]
  /** Tabs for a form with more than eight fields (design 8). Each field of a form with tabs has a `tab`. */
  tabs?: FormTab[] | undefined
  tab: string | undefined
  onTabChange: (key: string) => void
  sheet: boolean
}

/** The body of a form: its fields, in tabs if there are many. Hidden tabs stay mounted and are validated. */
export function FormFields<V extends FormValues>({ fields, tabs, tab, onTabChange, ...rest }: Props<V>) {
  if (!tabs) return <Fields fields={fields} firstField={fields[0]} {...rest} />
  const inTab = (key: string) => fields.filter((field) => field.tab === key)
  return (
    <Tabs
      value={tab ?? tabs[0]?.key ?? ''}
      onChange={(key) => key && onTabChange(key)}
      keepMounted
      keepMountedMode="display-none"
      classNames={{ root: classes.tabs ?? '', list: classes.tabList ?? '', panel: classes.panel ?? '' }}
    >
      <Tabs.List>
        {tabs.map(({ key, label, note }) => (
          <Tabs.Tab
            key={key}
            value={key}
            rightSection={
              hasProblem(inTab(key), rest.form.errors) ? <TabErrorIcon /> : note && <TabNoteIcon>{note}</TabNoteIcon>
            }
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key }) => (
        <Tabs.Panel key={key} value={key}>
          <Fields fields={inTab(key)} firstField={fields[0]} {...rest} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const hasProblem = <V extends FormValues>(fields: FormField<V>[], errors: Record<string, unknown>) =>
  Object.keys(errors).some((path) => fields.some(({ name }) => path === name || path.startsWith(`${name}.`)))

const TabErrorIcon = () => <IconAlertCircle aria-hidden="true" size={14} stroke={2} className={classes.wrong ?? ''} />

const TabNoteIcon = ({ children }: { children: string }) => (
  <IconAlertTriangle role="img" aria-label={children} size={14} stroke={2} className={classes.note ?? ''} />
)

type FieldsProps<V extends FormValues> = Pick<Props<V>, 'fields' | 'form' | 'progress' | 'sheet'> & {
  firstField: FormField<V> | undefined
}
function Fields<V extends FormValues>({ fields, firstField, form, progress, sheet }: FieldsProps<V>) {
  return (
    <div className={classes.fields}>
      {fields.map((field) =>
        field.when && !field.when(form.values) ? null : (
          <div key={field.name} data-field={field.name} className={classes.field} data-span={field.span}>
            <FieldInput field={field} form={form} progress={progress} isFirst={field === firstField && !sheet} />
          </div>
        ),
      )}
    </div>
  )
}
