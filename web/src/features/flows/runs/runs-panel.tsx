import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useSentences } from '../sentence/use-sentences.ts'
import { RunRow } from './run-row.tsx'
import classes from './runs.module.css'
import { runsTexts } from './texts.ts'
import { type RunState, runStates, useRunActions, useRuns, useVersionDocuments } from './use-runs.ts'

type Props = { flowId: number; initialState: RunState }

/** The conversations of a flow, of any version. */
export function RunsPanel({ flowId, initialState }: Props) {
  const words = useTexts(runsTexts)
  const [state, setState] = useState(initialState)
  return (
    <Tabs className={classes.panel ?? ''} value={state} onChange={(next) => setState((next ?? 'inside') as RunState)}>
      <Tabs.List className={classes.tabs ?? ''} aria-label={words.which}>
        {runStates.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {words.tabs[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={state} className={classes.scroller ?? ''}>
        <RunList key={state} flowId={flowId} state={state} />
      </Tabs.Panel>
    </Tabs>
  )
}

function RunList({ flowId, state }: { flowId: number; state: RunState }) {
  const words = useTexts(runsTexts)
  const { query, runs } = useRuns(flowId, state)
  const { documents, names } = useVersionDocuments(flowId)
  const sentences = useSentences(names)
  const actions = useRunActions(flowId)
  if (query.isError && !query.data)
    return <ErrorState title={words.failedToLoad} error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div className={classes.bones} aria-busy="true">
        {[0, 1, 2].map((i) => (
          <Skeleton key={i} height={64} radius={10} />
        ))}
      </div>
    )
  if (runs.length === 0)
    return (
      <EmptyState
        icon={<IconUsers size={26} stroke={1.6} />}
        title={words.empty[state]}
        line={words.emptyLine[state]}
      />
    )
  return (
    <>
      <ul className={classes.list} aria-label={words.tabs[state]}>
        {runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            document={documents.get(run.version)}
            sentences={sentences}
            actions={actions}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          m={12}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </>
  )
}
