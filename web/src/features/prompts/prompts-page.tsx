import { type Prompt, promptsApi } from '@recado/contract/ai/prompts'
import { IconSparkles } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { explainInUse, isInUse, useUsageTexts } from '../../parts/integrations/usage-texts.ts'
import { ClippedText, MutedText, NameWithMark, TwoLineCell } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { formatTokens } from './format-tokens.ts'
import { PromptStateChip, tokensUsedShare } from './prompt-state-chip.tsx'
import classes from './prompts.module.css'
import { texts } from './texts.ts'

const source = recordSourceOf(promptsApi)

export function PromptsPage() {
  const words = useTexts(texts)
  const used = useUsageTexts()
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
      remove={({ id, usedBy }) => explainInUse(usedBy, () => callApi(promptsApi.remove, { params: { id } }))}
      consequence={({ usedBy }) => (isInUse(usedBy) ? used.first(usedBy) : words.consequence)}
      permissions={{ create: true, edit: () => true, remove: () => true }}
      hasTallRows
    />
  )
}

function useColumns(): TableColumn<Prompt>[] {
  const words = useTexts(texts)
  const used = useUsageTexts()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ name, usedBy, forAgents }) => (
        <TwoLineCell
          first={<ClippedText isStrong>{name}</ClippedText>}
          second={
            <span title={used.named(usedBy)}>
              {isInUse(usedBy) ? used.counted(usedBy) : forAgents ? words.onlyAgents : words.unused}
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
        queue ? (
          <NameWithMark mark={<ColorDot color={queue.color} />}>{queue.name}</NameWithMark>
        ) : (
          <MutedText>{words.noQueue}</MutedText>
        ),
    },
    {
      key: 'model',
      head: words.model,
      width: 200,
      isLowPriority: true,
      cell: ({ model }) => (
        <span className={classes.mono}>
          <ClippedText>{model}</ClippedText>
        </span>
      ),
    },
    {
      key: 'maxTokens',
      head: words.maxTokens,
      width: 110,
      alignRight: true,
      isLowPriority: true,
      cell: ({ maxTokens }) => formatNumber(maxTokens),
    },
    {
      key: 'today',
      head: words.today,
      width: 170,
      cell: (prompt) => (
        <span
          className={classes.today}
          title={words.ofTokens(formatNumber(prompt.tokensToday), formatNumber(prompt.dailyTokens))}
        >
          {prompt.dailyTokens > 0 && (
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${tokensUsedShare(prompt) * 100}%` }} />
            </span>
          )}
          {formatTokens(prompt.tokensToday)}
        </span>
      ),
    },
    {
      key: 'state',
      head: words.state,
      width: 150,
      card: 'end',
      cell: (prompt) => <PromptStateChip prompt={prompt} />,
    },
  ]
}
