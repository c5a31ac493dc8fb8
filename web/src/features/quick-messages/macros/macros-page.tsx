import { Button } from '@mantine/core'
import type { Macro, MacroReferences } from '@recado/contract/macros/macros'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useMacrosQuery } from '../../../parts/macros/use-macros.ts'
import { searchQuickReplies } from '../../../parts/message/composer/match-quick-replies.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import classes from './macro-editor.module.css'
import { macroEditorTexts } from './texts.ts'

const MacroEditor = lazy(() => import('./macro-editor.tsx'))

/** Own and shared macros, each with its steps. */
export default function MacrosPage({ views }: { views: ReactNode }) {
  const words = useTexts(macroEditorTexts)
  const { data: loaded, error, refetch } = useMacrosQuery()
  const [typed, setTyped] = useState('')
  const [edited, setEdited] = useState<Macro | 'new' | null>(null)
  const all = loaded?.macros ?? []
  const named = all.map((macro) => ({ macro, shortcode: macro.shortcode, message: `${macro.name} ${macro.message}` }))
  const shown = typed.trim() ? searchQuickReplies(named, typed).map(({ macro }) => macro) : all
  const create = (
    <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setEdited('new')}>
      {words.create}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHeader title={words.title} count={loaded && all.length}>
        {views}
        {all.length > 0 && create}
      </PageHeader>
      {all.length > 0 && (
        <div className={classes.tools}>
          <SearchBox label={words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        </div>
      )}
      {!loaded && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {loaded && all.length === 0 && (
        <EmptyState icon={<IconStack2 size={26} stroke={1.6} />} title={words.empty} line={words.emptyLine}>
          {create}
        </EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && <p className={classes.empty}>{words.noMatch}</p>}
      {loaded && shown.length > 0 && (
        <ul className={classes.list} aria-label={words.title}>
          {shown.map((macro) => (
            <li key={macro.id}>
              <MacroRow macro={macro} references={loaded.references} onOpen={() => setEdited(macro)} />
            </li>
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {edited && <MacroEditor macro={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      </Suspense>
    </div>
  )
}

type RowProps = { macro: Macro; references: MacroReferences; onOpen: () => void }

function MacroRow({ macro, references, onOpen }: RowProps) {
  const words = useTexts(macroEditorTexts)
  const kinds = [
    ...(macro.message ? [words.write] : []),
    ...(macro.mediaName ? [macro.mediaName] : []),
    ...macro.steps.map(({ kind }) => words.kindNames[kind]),
  ]
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <span>
        <b>/{macro.shortcode}</b>
        {macro.name}
      </span>
      <span className={classes.quiet}>
        {kinds.join(' · ')}
        {hasBrokenStep(macro, references) && <small className={classes.broken}>{words.broken}</small>}
      </span>
      <span className={classes.quiet}>{words.uses(macro.uses)}</span>
      <span className={classes.quiet}>{words.audiences[macro.audience]}</span>
    </button>
  )
}

/** Whether a tag, queue, user or flow of a step was deleted. */
function hasBrokenStep({ steps }: Macro, { tags, queues, users, reasons, flows }: MacroReferences): boolean {
  const isIn = (rows: { id: number }[], id: number) => rows.some((row) => row.id === id)
  return steps.some((step) => {
    if (step.kind === 'tags') return [...step.add, ...step.remove].some((id) => !isIn(tags, id))
    if (step.kind === 'queue') return !isIn(queues, step.queueId)
    if (step.kind === 'resolve') return !!step.closingReasonId && !isIn(reasons, step.closingReasonId)
    if (step.kind === 'flow') return !isIn(flows, step.flowId)
    return step.kind === 'assign' && step.userId !== 'me' && !isIn(users, step.userId)
  })
}
