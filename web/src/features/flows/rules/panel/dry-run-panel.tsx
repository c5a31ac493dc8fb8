import { Button } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { DryRun } from '@recado/contract/flows/flows'
import { IconChevronRight, IconClockOff, IconFilterOff, IconHandStop, IconShieldCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatDay, formatNumber, formatTime } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { PersonAvatar } from '../../../../ui/person-avatar.tsx'
import { describeStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { formatShortDay } from '../format-short-day.ts'
import { DayChart, sumsOf } from './day-chart.tsx'
import { describeReason } from './describe-reason.ts'
import classes from './panel.module.css'
import { rulePanelTexts } from './panel-texts.ts'
import type { DryRunView } from './use-dry-run.ts'

type Props = { view: DryRunView; document: FlowDocument; version: number | null; sentences: Sentences }

/** What the draft would have done. Nothing is sent. */
export function DryRunPanel({ view, document, version, sentences }: Props) {
  const words = useTexts(rulePanelTexts)
  const { run, isCounting, error, retry } = view
  return (
    <>
      <div className={classes.head}>
        <h2>{words.dryRun}</h2>
        <span>{words.period}</span>
      </div>
      <div className={classes.busy} data-on={isCounting || undefined} />
      {error !== null && error !== undefined ? (
        <p className={classes.note} role="alert">
          {words.failed}{' '}
          <Button size="compact-xs" variant="default" onClick={retry}>
            {words.retry}
          </Button>
        </p>
      ) : document.triggers.length === 0 ? (
        <p className={classes.note}>{words.incomplete}</p>
      ) : (
        <>
          <DryRunNumber view={view} version={version} />
          {run && (
            <Result run={run} isUnknown={view.isUnknown} document={document} version={version} sentences={sentences} />
          )}
        </>
      )}
      <p className={classes.foot}>
        <IconShieldCheck size={15} stroke={1.75} aria-hidden="true" />
        {words.nothingSent}
      </p>
    </>
  )
}

/** The number of the dry run, also at the foot of a narrow screen. */
export function DryRunNumber({ view: { run, isCounting, isUnknown }, version }: Pick<Props, 'view' | 'version'>) {
  const words = useTexts(rulePanelTexts)
  const sums = run && sumsOf(run)
  const n = sums?.draft ?? 0
  return (
    <p className={classes.number} aria-live="polite">
      <b>{isUnknown ? '–' : sums ? (run?.isCapped ? words.orMore(formatNumber(n)) : formatNumber(n)) : '·'}</b>
      <span>
        <strong>{isUnknown ? words.unknownTimes : sums ? words.times(n) : isCounting ? words.counting : ''}</strong>
        {sums && sums.published !== null && version !== null && (
          <small>{words.publishedTimes(version, formatNumber(sums.published))}</small>
        )}
      </span>
    </p>
  )
}

const reasonIcons: Record<string, typeof IconHandStop> = {
  optedOut: IconHandStop,
  disableBot: IconHandStop,
  hoursPerContact: IconClockOff,
  runsPerDay: IconClockOff,
  pauseMinutes: IconClockOff,
}

type ResultProps = {
  run: DryRun
  isUnknown: boolean
  document: FlowDocument
  version: number | null
  sentences: Sentences
}
function Result({ run, isUnknown, document, version, sentences }: ResultProps) {
  const words = useTexts(rulePanelTexts)
  const { draft, published } = sumsOf(run)
  const reasonOf = (reason: string) => describeReason(reason, document, sentences, words)
  const excluded = run.excluded.filter(({ n }) => n > 0).toSorted((a, b) => b.n - a.n)
  const [most] = excluded
  return (
    <>
      {(draft > 0 || (published ?? 0) > 0) && <DayChart run={run} version={version} />}
      {run.unknownTriggers.length > 0 && (
        <div className={classes.unknown}>
          {run.unknownTriggers.map((kind) => (
            <p key={kind}>{words.unknown(sentences.words.triggers[kind as FlowTriggerKind]?.name ?? kind)}</p>
          ))}
        </div>
      )}
      {excluded.length > 0 && (
        <ul className={classes.excluded} aria-label={words.excluded}>
          {excluded.map(({ reason, n }) => {
            const Icon = reasonIcons[reason] ?? IconFilterOff
            return (
              <li key={reason}>
                <Icon size={16} stroke={1.75} aria-hidden="true" />
                <b>{formatNumber(n)}</b>
                <span>{reasonOf(reason)}</span>
              </li>
            )
          })}
        </ul>
      )}
      {isUnknown ? null : draft === 0 && run.state === 'done' ? (
        <p className={classes.note}>
          {words.nothing} {most && words.mostExcluded(reasonOf(most.reason), formatNumber(most.n))}
        </p>
      ) : (
        <Hits run={run} document={document} sentences={sentences} />
      )}
    </>
  )
}

function Hits({ run, document, sentences }: Omit<ResultProps, 'version' | 'isUnknown'>) {
  const words = useTexts(rulePanelTexts)
  if (run.hits.length === 0) return null
  const nameOfStep = new Map(document.steps.map((step) => [step.id, step]))
  const pathOf = (path: string[]) =>
    path
      .flatMap((id) => {
        const step = nameOfStep.get(id)
        return step && step.kind !== 'end' ? [describeStep(step, sentences)] : []
      })
      .join(', ')
  return (
    <>
      <div className={classes.head}>
        <h3>{words.these}</h3>
        {sumsOf(run).draft > run.hits.length && <span>{words.newest(formatNumber(run.hits.length))}</span>}
      </div>
      <ul className={classes.hits} aria-label={words.tickets}>
        {run.hits.map(({ ticket, contact, at, text, path }) => (
          <li key={`${ticket.id} ${at}`}>
            <Link className={classes.hit ?? ''} to="/tickets/{-$ticketId}" params={{ ticketId: ticket.uuid }}>
              <PersonAvatar id={contact.id} name={contact.name} size={28} />
              <span className={classes.who}>
                <b>{contact.name}</b>
                <small>{text || pathOf(path) || words.nothingDone}</small>
              </span>
              <time dateTime={at} title={formatDay(at)}>
                {formatShortDay(at, words)} {formatTime(at)}
              </time>
              <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
