import { ActionIcon, Button, FileButton, Skeleton } from '@mantine/core'
import {
  knowledgeApi,
  knowledgeFileExtensions,
  maxKnowledgeFileBytes,
  type Knowledge as Source,
} from '@recado/contract/ai/knowledge'
import { IconFileUpload, IconPencil, IconPlayerStop, IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { ApiError, callApi, type FailureCode, uploadFiles } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { confirmDelete } from '../../../records/confirm-delete.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useFileDrop } from '../../../ui/use-file-drop.ts'
import { KnowledgeSearch } from './knowledge-search.tsx'
import classes from './prompt-knowledge.module.css'
import { texts } from './texts.ts'
import { useKnowledge } from './use-knowledge.ts'

const KnowledgeSourceForm = lazy(() =>
  import('./knowledge-source-form.tsx').then((module) => ({ default: module.KnowledgeSourceForm })),
)

type OpenedForm = { kind: 'text' | 'pairs'; source: Source | null }

/** A prompt's knowledge (files, texts, questions with answers), and a search in it. */
export function PromptKnowledge({ promptId }: { promptId: number }) {
  const words = useTexts(texts)
  const { query, apply } = useKnowledge(promptId)
  const [open, setOpen] = useState<OpenedForm | null>(null)
  const [sending, setSending] = useState(false)

  const send = async (files: File[]) => {
    const tooLarge = files.find(({ size }) => size > maxKnowledgeFileBytes)
    if (tooLarge) return toast.warn(words.tooLarge, tooLarge.name)
    if (files.length === 0 || sending) return
    setSending(true)
    try {
      const made = await uploadFiles(knowledgeApi.upload, { params: { promptId }, files })
      for (const row of made) apply({ action: 'create', row })
    } catch (error) {
      toast.error(error)
    } finally {
      setSending(false)
    }
  }
  const drop = useFileDrop((_, all) => void send(all))
  return (
    <div className={classes.root}>
      <div className={classes.drop} data-over={drop.isOver || undefined} {...drop.handlers}>
        <IconFileUpload size={22} stroke={1.6} aria-hidden="true" />
        <span className={classes.dropWords}>
          <b>{words.dropHere}</b>
          <small>{words.kinds}</small>
        </span>
        <FileButton multiple accept={knowledgeFileExtensions.join(',')} onChange={(files) => void send(files)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={sending}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        {(['text', 'pairs'] as const).map((kind) => (
          <Button
            key={kind}
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} stroke={2} />}
            onClick={() => setOpen({ kind, source: null })}
          >
            {words.add[kind]}
          </Button>
        ))}
      </div>
      {query.isPending && <Skeleton height={120} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <p className={classes.none}>{words.none}</p>}
      {query.data && query.data.length > 0 && (
        <>
          <ul className={classes.list} aria-label={words.sources}>
            {query.data.map((source) => (
              <KnowledgeSourceRow
                key={source.id}
                source={source}
                onEdit={(kind) => setOpen({ kind, source })}
                onRemoved={() => apply({ action: 'delete', id: source.id })}
                onChanged={(row) => apply({ action: 'update', row })}
              />
            ))}
          </ul>
          <KnowledgeSearch promptId={promptId} />
        </>
      )}
      {open && (
        <Suspense fallback={null}>
          <KnowledgeSourceForm
            promptId={promptId}
            kind={open.kind}
            source={open.source}
            onClose={() => setOpen(null)}
            onSaved={(row) => apply({ action: 'update', row })}
          />
        </Suspense>
      )}
    </div>
  )
}

type LineProps = {
  source: Source
  onEdit: (kind: 'text' | 'pairs') => void
  onRemoved: () => void
  onChanged: (row: Source) => void
}
function KnowledgeSourceRow({ source, onEdit, onRemoved, onChanged }: LineProps) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const { id, kind, name, state, done, total, pieces, uses, error } = source
  const share = total > 0 ? done / total : 0
  const isOnItsWay = state === 'waiting' || state === 'reading'
  const stateTexts = {
    waiting: words.waiting,
    reading: words.reading(formatNumber(Math.round(share * 100))),
    ready: words.pieces(pieces, formatNumber(pieces)),
    stopped: words.stopped,
    failed: errorText(new ApiError(error as FailureCode, 400)),
  }[state]
  const stop = () =>
    callApi(knowledgeApi.stop, { params: { id } }).then(onChanged, (fault: unknown) => toast.error(fault))
  const remove = async () => {
    const gone = await confirmDelete({
      words,
      name,
      consequence: words.consequence,
      remove: () => callApi(knowledgeApi.remove, { params: { id } }),
    })
    if (gone) onRemoved()
  }
  return (
    <li className={classes.line}>
      <span className={classes.kind} aria-hidden="true">
        {kind === 'pairs' ? '?' : kind === 'text' ? 'Aa' : fileExtension(name)}
      </span>
      <span className={classes.words}>
        <b>{name}</b>
        <small data-wrong={state === 'failed' || undefined}>{stateTexts}</small>
      </span>
      {isOnItsWay && total > 0 && (
        <span className={classes.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {state === 'ready' && <span className={classes.uses}>{words.used(uses, formatNumber(uses))}</span>}
      {kind !== 'file' && (
        <ActionIcon aria-label={words.editNamed(name)} onClick={() => onEdit(kind)}>
          <IconPencil size={17} stroke={1.75} />
        </ActionIcon>
      )}
      {isOnItsWay && (
        <ActionIcon aria-label={words.stopNamed(name)} onClick={() => void stop()}>
          <IconPlayerStop size={17} stroke={1.75} />
        </ActionIcon>
      )}
      <ActionIcon aria-label={words.removeNamed(name)} onClick={() => void remove()}>
        <IconTrash size={17} stroke={1.75} />
      </ActionIcon>
    </li>
  )
}

const fileExtension = (name: string) => (/\.([a-z]{2,4})$/i.exec(name.slice(-6))?.[1] ?? '').slice(0, 3).toUpperCase()
