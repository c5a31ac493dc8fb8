import { ActionIcon, Button, Skeleton } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { formatNumber, formatTime } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import { PersonAvatar } from '../../../../ui/person-avatar.tsx'
import { StatusChip } from '../../../../ui/status-chip.tsx'
import { describeChanges } from '../../sentence/describe-changes.ts'
import { linesOfRule } from '../../sentence/describe-rule.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { formatShortDay } from '../format-short-day.ts'
import classes from './panel.module.css'
import { rulePanelTexts } from './panel-texts.ts'

type Props = {
  flow: Flow
  document: FlowDocument
  sentences: Sentences
  /** How often the draft would have happened; null: not counted yet. */
  dryRunCount: number | null
  /** Saves what is not saved yet. */
  flush: () => Promise<boolean>
  onRestored: (flow: Flow) => void
  onClose: () => void
}

/** The draft and the versions before it, each with what it changed. */
export function VersionsPanel({ flow, document, sentences, dryRunCount, flush, onRestored, onClose }: Props) {
  const words = useTexts(rulePanelTexts)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  const [isBusy, setBusy] = useState(false)
  const { data, isError } = useQuery({
    queryKey: ['rule-versions', flow.id, flow.version?.number],
    queryFn: ({ signal }) => callApi(flowsApi.versions, { params: { id: flow.id } }, { signal }),
    staleTime: 0,
  })
  const restore = async (number: number) => {
    setBusy(true)
    try {
      if (!(await flush())) return
      onRestored(await callApi(flowsApi.restore, { params: { id: flow.id, number } }))
      toast.ok(words.restored(number))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const versions = data?.versions ?? []
  const draftLines = linesOfRule(document, sentences)
  const draftChanges = versions[0] && describeChanges(linesOfRule(versions[0].document, sentences), draftLines)
  return (
    <>
      <div className={classes.head}>
        <h2>{words.versions}</h2>
        <ActionIcon ref={close} size={32} aria-label={words.close} onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {isError && <p className={classes.note}>{words.versionsFailed}</p>}
      {!data && !isError && <Skeleton height={90} mx={24} width="auto" radius={10} />}
      <ol className={classes.versions}>
        {data && draftChanges?.length !== 0 && (
          <li data-on>
            <p className={classes.versionHead}>
              <b>{words.version((versions[0]?.number ?? 0) + 1)}</b>
              <StatusChip kind="accent">{words.draft}</StatusChip>
            </p>
            <Changes before={versions[0]?.document ?? null} after={document} sentences={sentences} />
            <p className={classes.versionFoot}>
              <span>{dryRunCount !== null && words.inDryRun(formatNumber(dryRunCount))}</span>
            </p>
          </li>
        )}
        {versions.map(({ number, publishedAt, user, started, document: published }, i) => (
          <li key={number}>
            <p className={classes.versionHead}>
              <b>{words.version(number)}</b>
              {number === flow.version?.number && <StatusChip kind="ok">{words.published}</StatusChip>}
              {(i > 0 || draftChanges?.length !== 0) && (
                <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void restore(number)}>
                  {words.restore}
                </Button>
              )}
            </p>
            {(versions[i + 1] || number === 1) && (
              <Changes before={versions[i + 1]?.document ?? null} after={published} sentences={sentences} />
            )}
            <p className={classes.versionFoot}>
              {user && <PersonAvatar id={user.id} name={user.name} size={18} />}
              <span>
                {user?.name ?? words.someone} · {formatShortDay(publishedAt, words)} {formatTime(publishedAt)}
              </span>
              <span>{words.started(started, formatNumber(started))}</span>
            </p>
          </li>
        ))}
      </ol>
      {data && versions.length === 0 && <p className={classes.note}>{words.noVersions}</p>}
    </>
  )
}

const maxChangesShown = 6
const marks = { added: '+ ', removed: '− ', changed: '' }

type ChangesProps = { before: FlowDocument | null; after: FlowDocument; sentences: Sentences }
function Changes({ before, after, sentences }: ChangesProps) {
  const words = useTexts(rulePanelTexts)
  if (!before) return <p className={classes.change}>{words.first}</p>
  const changes = describeChanges(linesOfRule(before, sentences), linesOfRule(after, sentences))
  if (changes.length === 0) return <p className={classes.change}>{words.same}</p>
  return (
    <ul className={classes.changes}>
      {changes.slice(0, maxChangesShown).map(({ kind, text }) => (
        <li key={`${kind} ${text}`} className={classes.change}>
          {marks[kind]}
          {text}
        </li>
      ))}
      {changes.length > maxChangesShown && (
        <li className={classes.change}>{words.more(changes.length - maxChangesShown)}</li>
      )}
    </ul>
  )
}
