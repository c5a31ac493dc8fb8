import { Button } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'
import { IconPlus, IconRoute2 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { moveIdBeside, moveIdTo } from '../../../parts/reorder-ids.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import { describeRule } from '../sentence/describe-rule.ts'
import { useSentences } from '../sentence/use-sentences.ts'
import { emptyRule } from './rule-draft.ts'
import { RuleRow } from './rule-row.tsx'
import classes from './rules.module.css'
import { SkeletonRows } from './skeleton-rows.tsx'
import { rulesTexts } from './texts.ts'
import { type LoadedRules, useFlowList, useReorderRules } from './use-rules.ts'

const LibraryStarters = lazy(() =>
  import('../library/library-list.tsx').then((module) => ({ default: module.LibraryStarters })),
)

/** The rules of the company, in the order in which they are read. */
export function RuleList() {
  const words = useTexts(rulesTexts)
  const { data: loaded, error, refetch } = useFlowList('rule')
  const { create, isBusy } = useCreateFlow()
  if (!loaded) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows />
  if (loaded.flows.length > 0) return <Rows loaded={loaded} />
  return (
    <div className={classes.scroller}>
      <EmptyState icon={<IconRoute2 size={26} stroke={1.6} />} title={words.empty} line={words.emptyLine}>
        <Button
          leftSection={<IconPlus size={17} stroke={2} />}
          loading={isBusy}
          onClick={() => void create(words.newName, emptyRule)}
        >
          {words.create}
        </Button>
      </EmptyState>
      <Suspense fallback={null}>
        <LibraryStarters kind="rule" />
      </Suspense>
    </div>
  )
}

function Rows({ loaded }: { loaded: LoadedRules }) {
  const words = useTexts(rulesTexts)
  const [typed, setTyped] = useState('')
  const [told, setTold] = useState('')
  const sentences = useSentences(loaded.names)
  const arrange = useReorderRules()
  const textOf = (document: LoadedRules['flows'][number]['document']) => {
    const said = document && describeRule(document, sentences)
    return said ? `${said.triggers} ${said.conditions} ${said.steps}` : ''
  }
  const wanted = fold(typed.trim())
  const shown = loaded.flows.filter(({ name, document }) => fold(`${name} ${textOf(document)}`).includes(wanted))
  const step = (id: number, name: string, by: number) => {
    const ids = loaded.flows.map((rule) => rule.id)
    const to = Math.max(0, Math.min(ids.indexOf(id) + by, ids.length - 1))
    arrange((now) => moveIdTo(now, id, to))
    setTold(words.moved(name, to + 1))
  }
  return (
    <>
      <div className={classes.tools}>
        <SearchBox label={words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        <span className={classes.hint}>{words.orderHint}</span>
      </div>
      <p className="rc-sr" aria-live="polite">
        {told}
      </p>
      <section
        className={classes.scroller}
        aria-label={words.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div className={classes.head} aria-hidden="true">
          <span>{words.order}</span>
          <span />
          <span>{words.rule}</span>
          <span className={classes.days}>{words.days}</span>
          <span className={classes.state}>{words.state}</span>
          <span className={classes.changed}>{words.changed}</span>
          <span />
        </div>
        {shown.length > 0 && (
          <ul className={classes.rows} aria-label={words.title}>
            {shown.map((rule) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                place={loaded.flows.indexOf(rule) + 1}
                count={loaded.flows.length}
                sentences={sentences}
                onDrop={(other, after) => arrange((ids) => moveIdBeside(ids, rule.id, other, after))}
                onStep={(by) => step(rule.id, rule.name, by)}
              />
            ))}
          </ul>
        )}
        <p className={classes.foot}>
          {shown.length > 0 ? `${words.counted(shown.length)} · ${words.noMore}` : words.noMatch}
        </p>
      </section>
    </>
  )
}
