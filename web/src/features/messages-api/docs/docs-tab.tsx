import { NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import type { ApiCredential } from '../api-credentials.ts'
import { CopyButton } from '../code/code-block.tsx'
import { CodePane } from './code-pane.tsx'
import { docTexts, type TopicDoc } from './doc-texts.ts'
import { type DocTopic, docGroups, endpointByTopic, isDocTopic, requiredFieldsByTopic } from './doc-topics.ts'
import classes from './docs.module.css'
import type { SampleDraft } from './sample-calls.ts'

const TryApiForm = lazy(() => import('../try-api/try-api-form.tsx').then((module) => ({ default: module.TryApiForm })))

type Props = { credential: ApiCredential | undefined; credentialSelect: ReactNode }

/** The table of contents and the text; beside them the code and a form to try the call. */
export function DocsTab({ credential, credentialSelect }: Props) {
  const words = useTexts(docTexts)
  const phone = useIsPhone()
  const navigate = useNavigate()
  const { topic: named } = useSearch({ strict: false }) as { topic?: string }
  const topic: DocTopic = isDocTopic(named) ? named : 'send'
  const openTopic = (to: DocTopic) =>
    void navigate({ to: '/messages-api', search: { tab: 'docs', topic: to }, replace: true })
  const [draft, setDraft] = useState<SampleDraft>({ number: '', body: '', file: null })
  return (
    <div className={classes.root}>
      {phone ? (
        <div className={classes.jump}>
          <NativeSelect
            aria-label={words.contents}
            data={docGroups.map(({ key, topics }) => ({
              group: key ? words.groups[key] : words.contents,
              items: topics.map((one) => ({ value: one, label: words.topics[one].nav })),
            }))}
            value={topic}
            onChange={(event) => openTopic(event.currentTarget.value as DocTopic)}
          />
        </div>
      ) : (
        <DocsContents topic={topic} onNavigate={openTopic} />
      )}
      <TopicText topic={topic} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.beside} tabIndex={0} aria-label={words.beside}>
        {credentialSelect}
        <CodePane topic={topic} draft={draft} credential={credential} />
        <Suspense fallback={null}>
          <TryApiForm credential={credential} onDraftChange={setDraft} />
        </Suspense>
      </section>
    </div>
  )
}

function DocsContents({ topic, onNavigate }: { topic: DocTopic; onNavigate: (to: DocTopic) => void }) {
  const words = useTexts(docTexts)
  return (
    <nav className={classes.contents} aria-label={words.contents}>
      {docGroups.map(({ key, topics }) => (
        <Fragment key={key ?? ''}>
          {key && <h2>{words.groups[key]}</h2>}
          {topics.map((one) => (
            <button
              key={one}
              type="button"
              className={classes.entry}
              aria-current={one === topic ? 'page' : undefined}
              onClick={() => onNavigate(one)}
            >
              {endpointByTopic[one] && <b>{endpointByTopic[one].method}</b>}
              {words.topics[one].nav}
            </button>
          ))}
        </Fragment>
      ))}
    </nav>
  )
}

function TopicText({ topic }: { topic: DocTopic }) {
  const words = useTexts(docTexts)
  const doc: TopicDoc = words.topics[topic]
  const call = endpointByTopic[topic]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <article key={topic} className={classes.text} tabIndex={0} aria-label={doc.title}>
      <h2>{doc.title}</h2>
      {call && (
        <p className={classes.call}>
          <b>{call.method}</b> {call.path}
          <CopyButton text={`${location.origin}${call.path}`} label={call.path} isSmall />
        </p>
      )}
      <p className={classes.lead}>{renderInlineCode(doc.lead)}</p>
      {doc.fields && (
        <>
          <h3>{call?.method === 'GET' ? words.query : words.body}</h3>
          <FieldList texts={doc.fields} requiredFields={requiredFieldsByTopic[topic] ?? []} />
        </>
      )}
      {doc.reply && (
        <>
          <h3>{words.reply}</h3>
          <FieldList texts={doc.reply} />
        </>
      )}
      {Object.entries(doc.notes ?? {}).map(([key, { title, text }]) => (
        <Fragment key={key}>
          <h3>{title}</h3>
          <p className={classes.lead}>{renderInlineCode(text)}</p>
        </Fragment>
      ))}
      {doc.list && <FieldList texts={doc.list} />}
      {topic === 'openapi' && (
        <p className={classes.links}>
          <a href="/docs" target="_blank" rel="noreferrer">
            {words.openDocs}
          </a>
          <a href="/docs/json" target="_blank" rel="noreferrer">
            {words.openJson}
          </a>
        </p>
      )}
    </article>
  )
}

/**
 * A list of fields with their texts. Without `requiredFields` these are response fields, so none is marked as required.
 */
function FieldList({ texts, requiredFields }: { texts: Record<string, string>; requiredFields?: string[] }) {
  const words = useTexts(docTexts)
  return (
    <dl className={classes.fields}>
      {Object.entries(texts).map(([name, text]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {requiredFields && (
              <small data-needed={requiredFields.includes(name) || undefined}>
                {requiredFields.includes(name) ? words.required : words.optional}
              </small>
            )}
          </dt>
          <dd>{renderInlineCode(text)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Text between backticks is rendered as code. */
const renderInlineCode = (text: string): ReactNode[] =>
  text.split('`').map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts stand in their order
    i % 2 === 1 ? <code key={i}>{part}</code> : part,
  )
