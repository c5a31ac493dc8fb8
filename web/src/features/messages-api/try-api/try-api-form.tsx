import { Button, Textarea, TextInput } from '@mantine/core'
import type { ApiSendReply } from '@recado/contract/api-access/api-messages'
import { ticketsApi } from '@recado/contract/tickets'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import type { ApiCredential } from '../api-credentials.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { formatJson } from '../code/highlight-code.ts'
import type { SampleDraft } from '../docs/sample-calls.ts'
import { type ApiErrorText, parseJson, useApiErrorText } from './api-error-text.ts'
import { DeliveryTicks } from './delivery-ticks.tsx'
import { type ApiAnswer, formatRequest, sendTestMessage } from './send-test-message.ts'
import classes from './try-api-form.module.css'
import { tryApiTexts } from './try-api-texts.ts'
import { useDeliveryProgress } from './use-delivery-progress.ts'

const FileField = lazy(() =>
  import('../../../records/fields/file-field.tsx').then((module) => ({ default: module.FileField })),
)

type MessageKind = 'text' | 'media'
const messageKinds: MessageKind[] = ['text', 'media']
type Values = { number: string; body: string; file: File | null }
const emptyValues: Values = { number: '', body: '', file: null }

type Result = { request: string; answer: ApiAnswer; sendReply: ApiSendReply | null; refusal: ApiErrorText | null }
type Props = { credential: ApiCredential | undefined; onDraftChange: (draft: SampleDraft) => void }

/** Two forms that really send a message, as a program would: a text as JSON, or a file as multipart. */
export function TryApiForm({ credential, onDraftChange }: Props) {
  const words = useTexts(tryApiTexts)
  const [kind, setKind] = useState<MessageKind>('text')
  const [values, setValues] = useState(emptyValues)
  const [token, setToken] = useToken(credential)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const refusalOf = useApiErrorText()
  const ticks = useDeliveryProgress()

  const problems = findProblems(kind, token, values)
  const said = result?.refusal?.fields ?? {}
  const errorAt = (name: 'token' | 'number' | 'body' | 'file') => {
    const text = wasSubmitted && problems[name] ? words[problems[name]] : name === 'file' ? said.medias : said[name]
    return text ? <FieldError>{text}</FieldError> : null
  }
  /** Changes the input, which the example above the form shows, too. */
  const change = (part: Partial<Values>, as: MessageKind = kind) => {
    const next = { ...values, ...part }
    setValues(next)
    onDraftChange({
      number: next.number,
      body: next.body,
      file: as === 'media' ? (next.file?.name ?? 'foto.jpg') : null,
    })
  }

  const send = async () => {
    setWasSubmitted(true)
    if (busy || Object.keys(problems).length > 0) return
    const attempt = { ...values, token, file: kind === 'media' ? values.file : null }
    setBusy(true)
    ticks.listen()
    const answer = await sendTestMessage(attempt)
    const ok = answer.status >= 200 && answer.status < 300
    const sendReply = ok ? parseJson<ApiSendReply>(answer.text) : null
    ticks.follow(sendReply?.id ?? null)
    setResult({ request: formatRequest(attempt), answer, sendReply: sendReply, refusal: ok ? null : refusalOf(answer) })
    setBusy(false)
    if (!ok) return
    setWasSubmitted(false)
    change(emptyValues)
    toast.ok(words.sent, words.sentLine)
  }
  const byKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send()
  }
  return (
    <section className={classes.root} aria-label={words.title}>
      <header className={classes.head}>
        <h2>{words.title}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a redundant legend */}
        <div role="group" aria-label={words.which} className={classes.kinds}>
          {messageKinds.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === kind}
              onClick={() => {
                setKind(one)
                setWasSubmitted(false)
                change({}, one)
              }}
            >
              {words.kinds[one]}
            </button>
          ))}
        </div>
        <small>{credential?.line ? words.realBy(credential.line) : words.real}</small>
      </header>
      <form
        className={classes.form}
        noValidate
        onKeyDown={byKeys}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <SecretInput
          label={words.token}
          withAsterisk
          description={words.tokenHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          className={classes.token ?? ''}
          autoComplete="off"
          spellCheck={false}
          placeholder={credential?.secret === '' ? credential.shown : ''}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value.trim())}
          error={errorAt('token')}
        />
        <TextInput
          label={words.number}
          withAsterisk
          inputMode="tel"
          autoComplete="off"
          maxLength={60}
          className={classes.number ?? ''}
          value={values.number}
          onChange={(event) => change({ number: event.currentTarget.value })}
          error={errorAt('number')}
        />
        <Textarea
          label={kind === 'text' ? words.body : words.caption}
          withAsterisk={kind === 'text'}
          className={classes.body ?? ''}
          minRows={1}
          maxRows={5}
          value={values.body}
          onChange={(event) => change({ body: event.currentTarget.value })}
          error={errorAt('body')}
        />
        {kind === 'media' && (
          <div className={classes.file}>
            <Suspense fallback={null}>
              <FileField
                label={words.file}
                withAsterisk
                accept=""
                accepted=""
                value={{ file: values.file, stored: null }}
                onChange={({ file }) => change({ file })}
                error={errorAt('file')}
              />
            </Suspense>
          </div>
        )}
        <Button
          type="submit"
          loading={busy}
          className={classes.send ?? ''}
          leftSection={<IconSend size={16} stroke={1.75} />}
          aria-keyshortcuts="Control+Enter"
        >
          {words.send}
        </Button>
      </form>
      {result && (
        <div className={classes.result} role="status">
          <TestResult result={result} />
          {ticks.progress && <DeliveryTicks progress={ticks.progress} />}
        </div>
      )}
    </section>
  )
}

/** The token of the selected key or line, until the user types another token. */
function useToken(credential: ApiCredential | undefined) {
  const [token, setToken] = useState(credential?.secret ?? '')
  const { id = '', secret = '' } = credential ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another token, even where it is empty
  useEffect(() => setToken(secret), [id, secret])
  return [token, setToken] as const
}

type Problem = 'missing' | 'badToken'
/**
 * Checks the required fields of both forms (spec, section 5). The token goes into a header, which allows only these
 * characters.
 */
function findProblems(kind: MessageKind, token: string, { number, body, file }: Values) {
  const found: Partial<Record<'token' | 'number' | 'body' | 'file', Problem>> = {}
  if (token === '') found.token = 'missing'
  else if (!/^[\x21-\x7e]+$/.test(token)) found.token = 'badToken'
  if (number.trim() === '') found.number = 'missing'
  if (kind === 'text' && body.trim() === '') found.body = 'missing'
  if (kind === 'media' && !file) found.file = 'missing'
  return found
}

function TestResult({ result: { request, answer, sendReply, refusal } }: { result: Result }) {
  const words = useTexts(tryApiTexts)
  return (
    <>
      <p className={classes.outcome}>
        <span className={classes.status} data-ok={refusal === null || undefined}>
          {answer.status || words.nobody}
        </span>
        {sendReply && <code>{sendReply.id}</code>}
        <small>{words.took(formatNumber(answer.ms))}</small>
        {sendReply && <TicketLink id={sendReply.ticketId} />}
      </p>
      {refusal && <p className={classes.refusal}>{refusal.text}</p>}
      <details className={classes.request}>
        <summary>{words.request}</summary>
        <CodeBlock hasFrame code={request} language="json" label={words.request} />
      </details>
      {answer.text !== '' && <CodeBlock hasFrame code={formatJson(answer.text)} language="json" label={words.reply} />}
    </>
  )
}

/** Links to the ticket's page, which uses the uuid, while the API returns the numeric id. */
function TicketLink({ id }: { id: number }) {
  const words = useTexts(tryApiTexts)
  const { data } = useQuery({
    queryKey: ['ticket-uuid', id],
    queryFn: ({ signal }) => callApi(ticketsApi.show, { params: { id } }, { signal }),
    select: ({ uuid }) => uuid,
  })
  if (!data) return null
  return (
    <Link to={`/tickets/${data}`} className={classes.link}>
      {words.toTicket}
    </Link>
  )
}
