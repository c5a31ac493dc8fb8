import { ActionIcon, Button, Skeleton, Textarea, TextInput } from '@mantine/core'
import { type Knowledge, type KnowledgeDetail, type KnowledgeWrite, knowledgeApi } from '@recado/contract/ai/knowledge'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useLeaveGuard } from '../../../records/use-leave-guard.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Sheet, SheetForm } from '../../../ui/sheet.tsx'
import classes from './prompt-knowledge.module.css'
import { texts } from './texts.ts'

type Props = {
  promptId: number
  kind: 'text' | 'pairs'
  /** Null while the source is being created. */
  source: Knowledge | null
  onClose: () => void
  onSaved: (row: Knowledge) => void
}

/**
 * Edits a knowledge source. The form opens after its data has loaded, because fields must not change while the user
 * types.
 */
export function KnowledgeSourceForm(props: Props) {
  const words = useTexts(texts)
  const id = props.source?.id
  const query = useQuery({
    queryKey: ['knowledge-detail', id],
    queryFn: ({ signal }) => callApi(knowledgeApi.show, { params: { id: id as number } }, { signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (id === undefined) return <SourceFields {...props} start={null} />
  if (query.data) return <SourceFields {...props} start={query.data} />
  return (
    <Sheet opened onClose={props.onClose} size={560} title={props.source?.name ?? words.add[props.kind]}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={160} m={20} />
      )}
    </Sheet>
  )
}

function SourceFields({ promptId, kind, source, start, onClose, onSaved }: Props & { start: KnowledgeDetail | null }) {
  const words = useTexts(texts)
  const [name, setName] = useState(start?.name ?? '')
  const [text, setText] = useState(start?.text ?? '')
  const [pairs, setPairs] = useState(() => (start?.pairs.length ? start.pairs : [{ question: '', answer: '' }]))
  const [busy, setBusy] = useState(false)
  const written = JSON.stringify([name, text, pairs])
  const [begun] = useState(written)
  const mayClose = useLeaveGuard(() => written !== begun)
  const full = pairs.filter(({ question, answer }) => question.trim() !== '' && answer.trim() !== '')
  const ready = name.trim().length >= 2 && (kind === 'text' ? text.trim() !== '' : full.length > 0)
  const save = async () => {
    if (!ready || busy) return
    setBusy(true)
    const body: KnowledgeWrite = kind === 'text' ? { kind, name, text } : { kind, name, pairs: full }
    try {
      onSaved(
        source
          ? await callApi(knowledgeApi.update, { params: { id: source.id }, body })
          : await callApi(knowledgeApi.create, { params: { promptId }, body }),
      )
      toast.ok(words.kept, name.trim())
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const change = (at: number, part: Partial<(typeof pairs)[number]>) =>
    setPairs(pairs.map((pair, n) => (n === at ? { ...pair, ...part } : pair)))
  return (
    <SheetForm
      opened
      onClose={onClose}
      size={560}
      title={source?.name ?? words.add[kind]}
      submitLabel={words.save}
      isBusy={busy}
      disabled={!ready}
      confirmClose={mayClose}
      onSubmit={() => void save()}
    >
      <TextInput
        label={words.name}
        withAsterisk
        maxLength={150}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {kind === 'text' ? (
        <Textarea
          label={words.text}
          withAsterisk
          autosize
          minRows={10}
          maxRows={20}
          maxLength={200_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <>
          {pairs.map(({ question, answer }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pairs have no name but their place
            <fieldset key={n} className={classes.pair} aria-label={words.pair(n + 1)}>
              <TextInput
                label={words.question(n + 1)}
                maxLength={1000}
                value={question}
                onChange={(event) => change(n, { question: event.currentTarget.value })}
              />
              <Textarea
                label={words.answer(n + 1)}
                autosize
                minRows={2}
                maxRows={8}
                maxLength={10_000}
                value={answer}
                onChange={(event) => change(n, { answer: event.currentTarget.value })}
              />
              {pairs.length > 1 && (
                <ActionIcon
                  className={classes.dropPair ?? ''}
                  aria-label={words.removePair(n + 1)}
                  onClick={() => setPairs(pairs.toSpliced(n, 1))}
                >
                  <IconTrash size={17} stroke={1.75} />
                </ActionIcon>
              )}
            </fieldset>
          ))}
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={2} />}
            disabled={pairs.length >= 1000}
            onClick={() => setPairs([...pairs, { question: '', answer: '' }])}
          >
            {words.morePairs}
          </Button>
        </>
      )}
    </SheetForm>
  )
}
