import { ActionIcon, Button, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import {
  type ClosingFieldKind,
  closingFieldKinds,
  maxClosingChoices,
  maxClosingFields,
  maxClosingReasons,
} from '@recado/contract/tickets/closing'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import type { FieldDraft, ReasonDraft } from './closing-draft.ts'
import classes from './closing-field.module.css'
import { closingFormTexts } from './closing-texts.ts'

const maxNameLength = 60
let lastKey = 0
const nextKey = () => `new-${++lastKey}`

/** What agents are asked when they resolve a ticket of the queue (design 17, tab Cierre). */
export function ClosingFormField({ form, error }: FieldSlot<QueueFormValues>) {
  const words = useTexts(closingFormTexts)
  const { closing } = form.values
  const change = (part: Partial<typeof closing>) => {
    form.clearFieldError('closing')
    form.setFieldValue('closing', { ...closing, ...part })
  }
  const setReasons = (reasons: ReasonDraft[]) => change({ reasons })
  const setFields = (fields: FieldDraft[]) => change({ fields })
  return (
    <div className={classes.root}>
      <p className={classes.about}>{words.about}</p>
      <section aria-label={words.reasons}>
        <h3 className={classes.title}>{words.reasons}</h3>
        <p className={classes.about}>{words.reasonsHelp}</p>
        <ol className={classes.list}>
          {closing.reasons.map((reason, i) => (
            <li key={reason.key} className={classes.row}>
              <span className={classes.number} aria-hidden="true">
                {i + 1}
              </span>
              <TextInput
                className={classes.grow ?? ''}
                aria-label={words.reason(i + 1)}
                maxLength={maxNameLength}
                value={reason.name}
                onChange={({ currentTarget: { value: name } }) =>
                  setReasons(closing.reasons.with(i, { ...reason, name }))
                }
              />
              <RowTools rows={closing.reasons} at={i} label={words.reason(i + 1)} onChange={setReasons} />
            </li>
          ))}
        </ol>
        <AddButton
          disabled={closing.reasons.length >= maxClosingReasons}
          onClick={() => setReasons([...closing.reasons, { key: nextKey(), name: '' }])}
        >
          {words.addReason}
        </AddButton>
      </section>
      {closing.reasons.length > 0 && (
        <Switch
          label={words.required}
          description={words.requiredHelp}
          checked={closing.reasonRequired}
          onChange={(event) => change({ reasonRequired: event.currentTarget.checked })}
        />
      )}
      <section aria-label={words.fields}>
        <h3 className={classes.title}>{words.fields}</h3>
        <p className={classes.about}>{words.fieldsHelp}</p>
        <ol className={classes.list}>
          {closing.fields.map((field, i) => (
            <li key={field.key} className={`${classes.row} ${classes.field}`}>
              <span className={classes.number} aria-hidden="true">
                {i + 1}
              </span>
              <FieldParts
                field={field}
                number={i + 1}
                onChange={(part) => setFields(closing.fields.with(i, { ...field, ...part }))}
              />
              <RowTools rows={closing.fields} at={i} label={words.field(i + 1)} onChange={setFields} />
            </li>
          ))}
        </ol>
        <AddButton
          disabled={closing.fields.length >= maxClosingFields}
          onClick={() =>
            setFields([...closing.fields, { key: nextKey(), name: '', kind: 'text', required: false, choices: [] }])
          }
        >
          {words.addField}
        </AddButton>
      </section>
      {error && <div role="alert">{error}</div>}
    </div>
  )
}

type PartsProps = { field: FieldDraft; number: number; onChange: (part: Partial<FieldDraft>) => void }

function FieldParts({ field: { name, kind, choices, required }, number, onChange }: PartsProps) {
  const words = useTexts(closingFormTexts)
  return (
    <div className={`${classes.grow} ${classes.parts}`}>
      <TextInput
        aria-label={words.field(number)}
        maxLength={maxNameLength}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        aria-label={words.kindOf(number)}
        allowDeselect={false}
        data={closingFieldKinds.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={(value) => onChange({ kind: value as ClosingFieldKind })}
      />
      {kind === 'choice' && (
        <TagsInput
          className={classes.wide ?? ''}
          label={words.choices}
          description={words.choicesHelp}
          maxTags={maxClosingChoices}
          value={choices}
          onChange={(all) =>
            onChange({ choices: all.map((one) => one.trim().slice(0, maxNameLength)).filter(Boolean) })
          }
        />
      )}
      <Switch
        className={classes.wide ?? ''}
        label={words.isRequired}
        checked={required}
        onChange={(event) => onChange({ required: event.currentTarget.checked })}
      />
    </div>
  )
}

type ToolsProps<T> = { rows: T[]; at: number; label: string; onChange: (rows: T[]) => void }

/** Moves a row up and down, and removes it. */
function RowTools<T>({ rows, at, label, onChange }: ToolsProps<T>) {
  const words = useTexts(closingFormTexts)
  const move = (by: number) => {
    const [row, other] = [rows[at], rows[at + by]]
    if (row !== undefined && other !== undefined) onChange(rows.with(at, other).with(at + by, row))
  }
  const icon = { size: 16, stroke: 1.75 }
  return (
    <span className={classes.tools}>
      <ActionIcon size={32} disabled={at === 0} aria-label={words.up(label)} onClick={() => move(-1)}>
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon size={32} disabled={at === rows.length - 1} aria-label={words.down(label)} onClick={() => move(1)}>
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={words.remove(label)} onClick={() => onChange(rows.toSpliced(at, 1))}>
        <IconX {...icon} />
      </ActionIcon>
    </span>
  )
}

const AddButton = ({
  disabled,
  onClick,
  children,
}: {
  disabled: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconPlus size={16} stroke={1.75} />}
    disabled={disabled}
    onClick={onClick}
  >
    {children}
  </Button>
)
