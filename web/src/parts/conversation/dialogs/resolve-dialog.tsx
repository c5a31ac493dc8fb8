import { Button, NumberInput, Radio, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import {
  type ClosingField,
  type ClosingForm,
  type ClosingValue,
  maxClosingValueLength,
} from '@recado/contract/tickets/closing'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Sheet, SheetFooter } from '../../../ui/sheet.tsx'
import type { ClosingAnswerOfMany } from '../../ticket/closing/closing-forms.ts'
import { closingTexts } from '../../ticket/closing/texts.ts'
import { useSettings } from '../../use-settings.ts'
import classes from './resolve-dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

type Props = {
  /** One ticket, or how many: then their customers get a message only if the agent asks for it. */
  ticket: Ticket | number
  form: ClosingForm
  /** Whether the customer gets no message unless the agent chooses otherwise. */
  isQuiet?: boolean
  opened: boolean
  onClose: () => void
  onAnswer: (answer: ClosingAnswerOfMany) => void
}
type Values = Record<number, ClosingValue>

const isGiven = (value: ClosingValue | undefined): boolean =>
  value !== undefined && (typeof value !== 'string' || value.trim() !== '')

/** Asks why tickets are closed, and what their queue wants to know (design v-inbox, resolve). */
export function ResolveDialog({ ticket, form, isQuiet = false, opened, ...on }: Props) {
  const words = useTexts(closingTexts)
  const returnFocus = useFocusReturn()
  const isForMany = typeof ticket === 'number'
  const [reasonId, setReasonId] = useState<number | null>(null)
  const [values, setValues] = useState<Values>({})
  const [note, setNote] = useState('')
  const [saysGoodbye, setSaysGoodbye] = useState(!isQuiet && !isForMany)
  const [asksForRating, setAsksForRating] = useState(false)
  const canAskForRating = useSettings({ enabled: isForMany }).getValue('userRating') === 'enabled'
  const asksNothing = form.reasons.length === 0 && form.fields.length === 0
  const [wasTried, setWasTried] = useState(false)
  const isMissing = (field: ClosingField) => field.required && !isGiven(values[field.id])
  const isReasonMissing = form.reasonRequired && reasonId === null
  const missing = form.fields.filter(isMissing).length + (isReasonMissing ? 1 : 0)
  const close = () => {
    on.onClose()
    returnFocus()
  }
  const submit = () => {
    setWasTried(true)
    if (missing > 0) return
    returnFocus()
    on.onAnswer({
      closingReasonId: reasonId,
      closingFields: Object.entries(values).flatMap(([id, value]) =>
        isGiven(value) ? [{ id: Number(id), value }] : [],
      ),
      closingNote: note.trim(),
      justClose: !saysGoodbye,
      ...(isForMany && { farewell: saysGoodbye, rating: asksForRating }),
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      // The composer below would send its text.
      event.stopPropagation()
      return submit()
    }
    const isTyping =
      event.target instanceof HTMLTextAreaElement ||
      (event.target instanceof HTMLInputElement && event.target.type !== 'radio' && event.target.type !== 'checkbox')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const reason = form.reasons[Number(event.key) - 1]
    if (reason && event.key !== '0') {
      event.preventDefault()
      setReasonId(reason.id)
    }
  }
  return (
    <Sheet
      opened={opened}
      onClose={close}
      size={560}
      title={
        <span className={classes.head}>
          <IconCheck size={20} stroke={2} aria-hidden="true" />
          <span className={classes.title}>
            {isForMany ? words.titleOfMany(ticket) : words.title(formatNumber(ticket.number))}
          </span>
          {!isForMany && <span className={classes.subtitle}>{ticket.contact.name}</span>}
        </span>
      }
    >
      <form
        className={classes.form}
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={classes.fields}>
          {form.reasons.length > 0 && (
            <Radio.Group
              label={words.reason}
              withAsterisk={form.reasonRequired}
              value={reasonId === null ? null : String(reasonId)}
              onChange={(id) => setReasonId(Number(id))}
              error={wasTried && isReasonMissing && words.missingReason}
            >
              <div className={classes.reasons}>
                {form.reasons.map(({ id, name }, i) => (
                  <Radio
                    key={id}
                    value={String(id)}
                    className={classes.reason ?? ''}
                    data-checked={id === reasonId || undefined}
                    {...(i === 0 && { 'data-autofocus': true })}
                    label={
                      <>
                        <span className={classes.name}>{name}</span>
                        {i < 9 && (
                          <span className={classes.key} aria-hidden="true">
                            {i + 1}
                          </span>
                        )}
                      </>
                    }
                  />
                ))}
              </div>
            </Radio.Group>
          )}
          {form.fields.length > 0 && (
            <div className={classes.row}>
              {form.fields.map((field, i) => (
                <FieldInput
                  key={field.id}
                  field={field}
                  value={values[field.id]}
                  isFirst={i === 0 && form.reasons.length === 0}
                  error={wasTried && isMissing(field) && words.missingField}
                  onChange={(value) => setValues({ ...values, [field.id]: value })}
                />
              ))}
            </div>
          )}
          <Textarea
            label={words.summary}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={maxClosingValueLength}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {isForMany ? (
            <>
              {!asksNothing && <p className={classes.about}>{words.manyHelp}</p>}
              <div className={classes.well}>
                <Switch
                  labelPosition="left"
                  label={words.manyFarewell}
                  description={words.manyFarewellHelp}
                  checked={saysGoodbye}
                  onChange={(event) => setSaysGoodbye(event.currentTarget.checked)}
                />
                {canAskForRating && (
                  <Switch
                    labelPosition="left"
                    label={words.manyRating}
                    description={words.manyRatingHelp}
                    checked={asksForRating}
                    onChange={(event) => setAsksForRating(event.currentTarget.checked)}
                  />
                )}
              </div>
              <p className={classes.about} role="status">
                {saysGoodbye || asksForRating ? words.manyWritten : words.manyQuiet}
              </p>
            </>
          ) : (
            <div className={classes.well}>
              <Switch
                labelPosition="left"
                label={words.farewell}
                description={words.farewellHelp}
                checked={saysGoodbye}
                onChange={(event) => setSaysGoodbye(event.currentTarget.checked)}
              />
            </div>
          )}
        </div>
        <SheetFooter>
          <span className={classes.missing} role="status">
            {missing > 0 && (
              <>
                <IconAlertCircle size={16} stroke={1.75} aria-hidden="true" />
                {isReasonMissing && missing === 1 ? words.missingReason : words.missing(missing)}
              </>
            )}
          </span>
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            {...(asksNothing && { 'data-autofocus': true })}
            aria-keyshortcuts="Control+Enter"
            rightSection={
              <span className={`${classes.key} ${classes.onAccent}`} aria-hidden="true">
                Ctrl ↵
              </span>
            }
          >
            {words.resolve}
          </Button>
        </SheetFooter>
      </form>
    </Sheet>
  )
}

type FieldProps = {
  field: ClosingField
  value: ClosingValue | undefined
  isFirst: boolean
  error: ReactNode
  onChange: (value: ClosingValue) => void
}

function FieldInput({ field: { name, kind, required, choices }, value, isFirst, error, onChange }: FieldProps) {
  const words = useTexts(closingTexts)
  const shared = { label: name, withAsterisk: required, error, ...(isFirst && { 'data-autofocus': true }) }
  switch (kind) {
    case 'text':
      return (
        <TextInput
          {...shared}
          maxLength={maxClosingValueLength}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          min={-1e12}
          max={1e12}
          value={typeof value === 'number' ? value : ''}
          onChange={(number) => onChange(typeof number === 'number' ? number : '')}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          data={choices}
          placeholder={words.choose}
          searchable={choices.length > 8}
          clearable={!required}
          value={typeof value === 'string' && value ? value : null}
          onChange={(choice) => onChange(choice ?? '')}
        />
      )
    case 'yesNo':
      return (
        <Radio.Group
          label={name}
          withAsterisk={required}
          error={error}
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(answer) => onChange(answer === 'true')}
        >
          <div className={classes.answers}>
            <Radio value="true" label={words.yes} />
            <Radio value="false" label={words.no} />
          </div>
        </Radio.Group>
      )
  }
}
