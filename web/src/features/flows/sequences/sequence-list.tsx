import { Button } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'
import { IconMessages } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SearchBox } from '../../../records/search-box.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import ruleClasses from '../rules/rules.module.css'
import { SkeletonRows } from '../rules/skeleton-rows.tsx'
import { rulesTexts } from '../rules/texts.ts'
import { type LoadedRules, useFlowList } from '../rules/use-rules.ts'
import { useSentences } from '../sentence/use-sentences.ts'
import { describeSequence } from './describe-sequence.ts'
import { newSequence } from './sequence-draft.ts'
import { SequenceRow } from './sequence-row.tsx'
import classes from './sequences.module.css'
import { sequencesTexts } from './texts.ts'

const LibraryStarters = lazy(() =>
  import('../library/library-list.tsx').then((module) => ({ default: module.LibraryStarters })),
)

/** The sequences of the company. */
export function SequenceList() {
  const words = useTexts(sequencesTexts)
  const { data: loaded, error, refetch } = useFlowList('sequence')
  const rulesWords = useTexts(rulesTexts)
  const { create, isBusy } = useCreateFlow()
  if (!loaded) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows />
  if (loaded.flows.length > 0) return <Rows loaded={loaded} />
  return (
    <div className={ruleClasses.scroller}>
      <EmptyState icon={<IconMessages size={26} stroke={1.6} />} title={words.empty} line={words.emptyLine}>
        <Button loading={isBusy} onClick={() => void create(rulesWords.newSequence, newSequence())}>
          {rulesWords.createSequence}
        </Button>
      </EmptyState>
      <Suspense fallback={null}>
        <LibraryStarters kind="sequence" />
      </Suspense>
    </div>
  )
}

/** Search is worth its place from this many. */
const minForSearch = 8

function Rows({ loaded }: { loaded: LoadedRules }) {
  const words = useTexts(sequencesTexts)
  const sentences = useSentences(loaded.names)
  const [typed, setTyped] = useState('')
  const wanted = fold(typed.trim())
  const shown = loaded.flows.filter(({ name, document }) =>
    fold(`${name} ${document ? describeSequence(document, sentences, words) : ''}`).includes(wanted),
  )
  return (
    <>
      {loaded.flows.length >= minForSearch && (
        <div className={ruleClasses.tools}>
          <SearchBox label={words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        </div>
      )}
      <section
        className={ruleClasses.scroller}
        aria-label={words.list}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div className={classes.head} aria-hidden="true">
          <span />
          <span>{words.sequence}</span>
          <span className={classes.reached}>{words.reached}</span>
          <span className={classes.number}>{words.inside}</span>
          <span className={classes.number}>{words.answered}</span>
          <span className={classes.state}>{words.state}</span>
          <span />
        </div>
        {shown.length > 0 && (
          <ul className={ruleClasses.rows} aria-label={words.list}>
            {shown.map((sequence) => (
              <SequenceRow key={sequence.id} sequence={sequence} sentences={sentences} />
            ))}
          </ul>
        )}
        <p className={ruleClasses.foot}>
          {shown.length > 0 ? `${words.counted(shown.length)} · ${words.endsByAnswer}` : words.noMatch}
        </p>
      </section>
    </>
  )
}
