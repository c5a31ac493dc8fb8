import { Input, TextInput } from '@mantine/core'
import {
  type Webhook,
  type WebhookEvent,
  WebhookWrite,
  webhookEvents,
  webhooksApi,
} from '@recado/contract/api-access/webhooks'
import { useTexts } from '../../../lib/texts.ts'
import type { FieldProblemDetail } from '../../../records/field-problems.ts'
import type { FieldSlot, FormField } from '../../../records/fields/field.ts'
import { RecordForm } from '../../../records/record-form.tsx'
import type { FormSlot } from '../../../records/records-page.tsx'
import { writeRecord } from '../../../records/write-record.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import tab from '../keys-tab.module.css'
import { webhookTexts } from './texts.ts'
import { eventGroups, eventsOfGroup, isWebAddress, webhookName } from './webhook-summary.ts'
import classes from './webhooks.module.css'

type Values = { name: string; url: string; events: WebhookEvent[]; active: boolean }

const findUrlProblem = ({ url }: Values): Record<string, FieldProblemDetail> =>
  url.trim() !== '' && !isWebAddress(url.trim()) ? { url: { kind: 'Invalid' } } : {}

export function WebhookForm(slot: FormSlot<Webhook>) {
  const { row } = slot
  const words = useTexts(webhookTexts)
  const fields: FormField<Values>[] = [
    {
      kind: 'custom',
      name: 'url',
      label: words.url,
      render: ({ form, error }) => (
        <TextInput
          label={words.url}
          withAsterisk
          description={words.urlHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={500}
          placeholder="https://"
          className={classes.mono ?? ''}
          {...form.getInputProps('url')}
          error={
            error && form.values.url.trim() !== '' && !isWebAddress(form.values.url.trim()) ? (
              <FieldError>{words.badUrl}</FieldError>
            ) : (
              error
            )
          }
        />
      ),
    },
    { kind: 'text', name: 'name', label: words.name, maxLength: 50 },
    { kind: 'custom', name: 'events', label: words.events, render: (slot) => <EventsField {...slot} /> },
    { kind: 'switch', name: 'active', label: words.active, help: words.activeHelp },
  ]
  return (
    <RecordForm<Values, Webhook>
      {...slot}
      title={row ? webhookName(row) : words.words.create}
      words={words.words}
      schema={WebhookWrite}
      initial={{
        name: row?.name ?? '',
        url: row?.url ?? '',
        events: row?.events ?? ['message.created', 'message.state'],
        active: row?.active ?? true,
      }}
      fields={fields}
      check={findUrlProblem}
      write={(values, before) => writeRecord(webhooksApi, { ...values, url: values.url.trim() }, before)}
    />
  )
}

function EventsField({ form, error }: FieldSlot<Values>) {
  const words = useTexts(webhookTexts)
  const { events } = form.values
  const toggle = (event: WebhookEvent, on: boolean) => {
    form.clearFieldError('events')
    form.setFieldValue(
      'events',
      webhookEvents.filter((one) => (one === event ? on : events.includes(one))),
    )
  }
  return (
    <fieldset className={tab.set}>
      <Input.Label component="legend" required>
        {words.events}
      </Input.Label>
      <div className={classes.groups}>
        {eventGroups.map((group) => (
          <fieldset key={group} className={tab.set}>
            <legend className={classes.group}>{words.groups[group]}</legend>
            {eventsOfGroup(group).map((event) => (
              <label key={event} className={tab.check}>
                <input
                  type="checkbox"
                  checked={events.includes(event)}
                  onChange={(change) => toggle(event, change.currentTarget.checked)}
                />
                <span>
                  {words.event[event]}
                  <small>{event}</small>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      {error && (
        <Input.Error>
          <FieldError>{words.noEvent}</FieldError>
        </Input.Error>
      )}
    </fieldset>
  )
}
