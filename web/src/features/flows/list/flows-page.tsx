import { fold } from '@recado/contract/text/fold'
import { IconSitemap } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { NewFlowButton } from '../new-flow/new-flow-button.tsx'
import rules from '../rules/rules.module.css'
import { SkeletonRows } from '../rules/skeleton-rows.tsx'
import { type LoadedRules, useFlowList } from '../rules/use-rules.ts'
import { useSentences } from '../sentence/use-sentences.ts'
import { describeStart, FlowRow } from './flow-row.tsx'
import classes from './flows.module.css'
import { flowsTexts } from './texts.ts'

const LibraryStarters = lazy(() =>
  import('../library/library-list.tsx').then((module) => ({ default: module.LibraryStarters })),
)

/** The flows of the company. */
export function FlowsPage() {
  const words = useTexts(flowsTexts)
  const { data: loaded, error, refetch } = useFlowList('flow')
  const isEmpty = loaded?.flows.length === 0
  return (
    <div className={rules.page}>
      <PageHeader title={words.title} count={loaded?.flows.length || undefined}>
        {/* While the list loads, the place of the button is not known: a menu that is open would close. */}
        {loaded && !isEmpty && <NewFlowButton />}
      </PageHeader>
      {!loaded && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!loaded && !error && <SkeletonRows />}
      {isEmpty && (
        <div className={rules.scroller}>
          <EmptyState icon={<IconSitemap size={26} stroke={1.6} />} title={words.empty} line={words.emptyLine}>
            <NewFlowButton />
          </EmptyState>
          <Suspense fallback={null}>
            <LibraryStarters kind="flow" />
          </Suspense>
        </div>
      )}
      {loaded && !isEmpty && <FlowRows loaded={loaded} />}
    </div>
  )
}

function FlowRows({ loaded }: { loaded: LoadedRules }) {
  const words = useTexts(flowsTexts)
  const sentences = useSentences(loaded.names)
  const [typed, setTyped] = useState('')
  const wanted = fold(typed.trim())
  const shown = loaded.flows.filter((flow) =>
    fold(`${flow.name} ${describeStart(flow.document, sentences, words)}`).includes(wanted),
  )
  return (
    <>
      <div className={rules.tools}>
        <SearchBox label={words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
      </div>
      <section
        className={rules.scroller}
        aria-label={words.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div className={classes.head} aria-hidden="true">
          <span />
          <span>{words.flow}</span>
          <span className={classes.days}>{words.days}</span>
          <span className={classes.inside}>{words.inside}</span>
          <span className={classes.state}>{words.state}</span>
          <span className={classes.changed}>{words.changed}</span>
          <span />
        </div>
        {shown.length > 0 && (
          <ul className={rules.rows} aria-label={words.title}>
            {shown.map((flow) => (
              <FlowRow key={flow.id} flow={flow} sentences={sentences} />
            ))}
          </ul>
        )}
        <p className={rules.foot}>{shown.length > 0 ? words.counted(shown.length) : words.noMatch}</p>
      </section>
    </>
  )
}
