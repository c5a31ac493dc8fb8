import { Button, Input } from '@mantine/core'
import { contactsApi } from '@recado/contract/contacts'
import { lineTraits } from '@recado/contract/line-traits'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import type { Repetition } from '@recado/contract/schedules/repetition-rule'
import { type Schedule, ScheduleWrite, schedulesApi } from '@recado/contract/schedules/schedules'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import type { FieldProblemDetail } from '../../records/field-problems.ts'
import type { FileValue, FormField } from '../../records/fields/field.ts'
import { MomentInput } from '../../records/fields/moment-input.tsx'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { toSelectOptions } from '../../ui/select-options.ts'
import { initialMediaValue, reportProgressAs, saveAttachedMedia } from '../attached-media.ts'
import { useLines } from '../line/use-lines.ts'
import { MessageField } from '../message-field.tsx'
import { ContactSearch, type SelectedContact } from '../new-ticket/contact-search.tsx'
import { useSettings } from '../use-settings.ts'
import { RepeatField } from './repeat-field.tsx'
import { ReplyWindowField } from './reply-window-field.tsx'
import classes from './schedule-form.module.css'
import { SchedulePreview } from './schedule-preview.tsx'
import { texts } from './texts.ts'

/** A stored template without its text, because the server keeps the stored text. */
type ChosenScheduleTemplate = { name: string; language: string; variables: Record<string, string> }

type Values = {
  contactId: number | null
  person: SelectedContact | null
  body: string
  sendAt: string
  whatsappId: string | null
  onReply: string
  repeat: Repetition | null
  media: FileValue
  template: ChosenScheduleTemplate | null
}

const readSchedule = (id: number) => callApi(schedulesApi.show, { params: { id } })
const hourMs = 3_600_000

/** Reports a send time in the past. The current minute may still be chosen, as on the server. */
function checkSendAtInFuture(sendAt: string, zone: string): Record<string, FieldProblemDetail> {
  const isOver = sendAt !== '' && dateOfWallTime(sendAt, zone).getTime() < Date.now() - 60_000
  return isOver ? { sendAt: { kind: 'In the past' } } : {}
}

/** What a new schedule begins with, when it is written in a conversation. */
export type ScheduleStart = { body: string; whatsappId: number | null; file: File | null }
type ScheduleFormProps = FormSlot<Schedule> & { person?: SelectedContact | null; start?: ScheduleStart }

/** The form of a scheduled message. The time zone must be loaded first, because input is in the company's time zone. */
export function ScheduleForm(slot: ScheduleFormProps) {
  const settings = useSettings()
  const lines = useLines()
  if (settings.isPending || lines.isPending) return null
  return <ScheduleFormFields {...slot} zone={settings.getValue('timezone')} lines={lines.data ?? []} />
}

/** The form for the contact in the URL. If the contact does not exist, the form opens without a contact. */
export function ScheduleFormForContact({ id, onClose }: { id: number; onClose: () => void }) {
  const found = useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => callApi(contactsApi.show, { params: { id } }, { signal }),
    retry: false,
  })
  if (found.isPending) return null
  const { data } = found
  const person = data ? { id: data.id, name: data.name, number: data.number } : null
  return <ScheduleForm row={null} opened onClose={onClose} onSaved={() => {}} person={person} />
}

type Props = ScheduleFormProps & {
  zone: string
  lines: NonNullable<ReturnType<typeof useLines>['data']>
}

function ScheduleFormFields({ person: given = null, start, zone, lines, ...slot }: Props) {
  const { row } = slot
  const words = useTexts(texts)
  const person = row?.contact ?? given
  const fields: FormField<Values>[] = [
    {
      kind: 'custom',
      name: 'contactId',
      label: words.contact,
      render: ({ form, error }) => (
        <ContactSearch
          contact={form.values.person}
          isMissing={!!error}
          onChange={(one) => {
            form.setFieldValue('person', one)
            form.setFieldValue('contactId', one?.id ?? null)
          }}
        />
      ),
    },
    {
      kind: 'custom',
      name: 'body',
      label: words.message,
      render: ({ form, error }) =>
        form.values.template ? (
          <TemplateText
            template={form.values.template}
            body={form.values.body}
            onDrop={() => {
              form.setFieldValue('template', null)
              form.setFieldValue('body', '')
            }}
          />
        ) : (
          <MessageField
            label={words.message}
            limit={4096}
            error={error}
            extraVariables={['user', 'queue']}
            isFocusedFirst={given !== null}
            value={form.values.body}
            onChange={(text) => form.setFieldValue('body', text)}
          />
        ),
    },
    {
      kind: 'custom',
      name: 'sendAt',
      label: words.when,
      span: 'half',
      render: ({ form, error }) => (
        <MomentInput
          kind="time"
          label={words.when}
          required
          description={words.inZone(zone)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={error}
          value={form.values.sendAt}
          onChange={(moment) => form.setFieldValue('sendAt', moment)}
        />
      ),
    },
    {
      kind: 'select',
      name: 'whatsappId',
      label: words.line,
      span: 'half',
      options: toSelectOptions(lines),
      placeholder: words.lastLine,
      clearable: true,
    },
    {
      kind: 'custom',
      name: 'template',
      label: words.chooseTemplate,
      when: () => lines.some(({ provider }) => lineTraits[provider].window),
      render: ({ form }) => (
        <ReplyWindowField
          person={form.values.person}
          whatsappId={form.values.whatsappId === null ? null : Number(form.values.whatsappId)}
          sendAt={form.values.sendAt}
          zone={zone}
          hasTemplate={form.values.template !== null}
          onTemplate={(chosen) => {
            form.setFieldValue('template', chosen && { ...chosen })
            form.setFieldValue('body', chosen?.text ?? '')
          }}
        />
      ),
    },
    { kind: 'file', name: 'media', label: words.attachment, accept: '', accepted: '' },
    {
      kind: 'custom',
      name: 'repeat',
      label: words.repeat,
      render: ({ form, error }) => (
        <RepeatField
          value={form.values.repeat}
          firstDay={form.values.sendAt}
          error={error}
          onChange={(repeat) => form.setFieldValue('repeat', repeat)}
        />
      ),
    },
    {
      kind: 'select',
      name: 'onReply',
      label: words.onReply,
      options: [
        { value: 'send', label: words.sendAnyway },
        { value: 'hold', label: words.hold },
      ],
    },
  ]
  return (
    <RecordForm<Values, Schedule>
      {...slot}
      title={row?.contact.name ?? words.words.create}
      words={words.words}
      schema={ScheduleWrite}
      initial={{
        contactId: person?.id ?? null,
        person,
        body: row?.body ?? start?.body ?? '',
        sendAt: toWallTime(row ? new Date(row.sendAt) : new Date(Date.now() + hourMs), zone),
        whatsappId: toOptionValue(row ? row.whatsappId : (start?.whatsappId ?? null)),
        onReply: row?.onReply ?? 'send',
        repeat: row?.repeat ?? null,
        media: { ...initialMediaValue(row, (path) => path, readSchedule), ...(start?.file && { file: start.file }) },
        template: row?.template ? { ...row.template, variables: {} } : null,
      }}
      fields={fields}
      renderAside={({ form: { values } }) => (
        <SchedulePreview {...values} zone={zone} file={fileNameOf(values.media)} />
      )}
      check={({ sendAt }) => checkSendAtInFuture(sendAt, zone)}
      fieldByErrorCode={{
        ERR_FILE_TYPE: 'media',
        ERR_FILESIZE_OVER_LIMIT: 'media',
        ERR_NO_DEF_WAPP_FOUND: 'whatsappId',
      }}
      write={({ person: _person, media, ...values }, before) =>
        writeRecord(
          schedulesApi,
          {
            ...values,
            contactId: values.contactId as number,
            onReply: values.onReply as 'send' | 'hold',
            fileFollows: Boolean(media.file),
          },
          before,
        )
      }
      afterSave={(saved, { media }, tell) =>
        saveAttachedMedia(schedulesApi, saved, media, reportProgressAs(tell, 'media'))
      }
    />
  )
}

const toOptionValue = (id: number | null): string | null => (id === null ? null : String(id))

const fileNameOf = ({ file, stored }: FileValue): string | null => file?.name ?? stored?.name ?? null

/** A template's text is defined at Meta, so it is shown read-only. */
function TemplateText({
  template,
  body,
  onDrop,
}: {
  template: ChosenScheduleTemplate
  body: string
  onDrop: () => void
}) {
  const words = useTexts(texts)
  return (
    <Input.Wrapper label={words.templateNamed(template.name)} labelElement="div">
      <p className={classes.saying}>{body}</p>
      <Button size="xs" variant="default" onClick={onDrop}>
        {words.ownWords}
      </Button>
    </Input.Wrapper>
  )
}
