import { type Prompt, promptsApi } from '@recado/contract/machines/prompts'
import { IconSparkles } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/api.ts'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { isUsed, orWhere, useUsedBy } from '../../parts/machines/used-by.ts'
import { Clip, Named, Quiet, TwoLines } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import classes from './prompts.module.css'
import { StateChip, shareOf } from './state-chip.tsx'
import { texts } from './texts.ts'
import { tokens } from './tokens.ts'

const source = sourceOf(promptsApi)

export function PromptsPage() {
  const words = useTexts(texts)
  const used = useUsedBy()
  const navigate = useNavigate()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={useColumns()}
      nameOf={(prompt) => prompt.name}
      icon={<IconSparkles size={26} stroke={1.6} />}
      open={(row) => void navigate({ to: '/prompts/$promptId', params: { promptId: row ? String(row.id) : 'new' } })}
      loadForm={() => import('./form/prompt-page.tsx')}
      remove={({ id, usedBy }) => orWhere(usedBy, () => call(promptsApi.remove, { params: { id } }))}
      consequence={({ usedBy }) => (isUsed(usedBy) ? used.first(usedBy) : words.consequence)}
      may={{ create: true, edit: () => true, remove: () => true }}
      tall
    />
  )
}

function useColumns(): Column<Prompt>[] {
  const words = useTexts(texts)
  const used = useUsedBy()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ name, usedBy, forAgents }) => (
        <TwoLines
          first={<Clip strong>{name}</Clip>}
          second={
            <span title={used.named(usedBy)}>
              {isUsed(usedBy) ? used.counted(usedBy) : forAgents ? words.onlyAgents : words.unused}
            </span>
          }
        />
      ),
    },
    {
      key: 'queue',
      head: words.queue,
      width: 190,
      card: 'line',
      cell: ({ queue }) =>
        queue ? <Named mark={<ColorDot color={queue.color} />}>{queue.name}</Named> : <Quiet>{words.noQueue}</Quiet>,
    },
    {
      key: 'model',
      head: words.model,
      width: 200,
      low: true,
      cell: ({ model }) => (
        <span className={classes.mono}>
          <Clip>{model}</Clip>
        </span>
      ),
    },
    {
      key: 'maxTokens',
      head: words.maxTokens,
      width: 110,
      right: true,
      low: true,
      cell: ({ maxTokens }) => number(maxTokens),
    },
    {
      key: 'today',
      head: words.today,
      width: 170,
      cell: (prompt) => (
        <span className={classes.today} title={words.ofTokens(number(prompt.tokensToday), number(prompt.dailyTokens))}>
          {prompt.dailyTokens > 0 && (
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${shareOf(prompt) * 100}%` }} />
            </span>
          )}
          {tokens(prompt.tokensToday)}
        </span>
      ),
    },
    {
      key: 'state',
      head: words.state,
      width: 150,
      card: 'end',
      cell: (prompt) => <StateChip prompt={prompt} />,
    },
  ]
}
