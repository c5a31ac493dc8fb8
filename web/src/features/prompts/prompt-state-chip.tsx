import type { Prompt } from '@recado/contract/ai/prompts'
import { IconCheck, IconPlayerPause } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { isInUse } from '../../parts/integrations/usage-texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { texts } from './texts.ts'

type TokenUse = Pick<Prompt, 'tokensToday' | 'dailyTokens'>

/** Used share of today's tokens, from 0 to 1. */
export const tokensUsedShare = ({ tokensToday, dailyTokens }: TokenUse): number =>
  dailyTokens > 0 ? Math.min(1, tokensToday / dailyTokens) : 0

/** Whether the prompt answers: at its token limit it pauses until tomorrow. */
export function PromptStateChip({ prompt }: { prompt: Prompt }) {
  const words = useTexts(texts)
  if (tokensUsedShare(prompt) === 1)
    return (
      <span title={words.restsWhy}>
        <StatusChip kind="warn" icon={<IconPlayerPause size={14} stroke={2} aria-hidden="true" />}>
          {words.rests}
        </StatusChip>
      </span>
    )
  if (!isInUse(prompt.usedBy) && !prompt.forAgents) return <StatusChip kind="off">{words.idle}</StatusChip>
  return (
    <StatusChip kind="ok" icon={<IconCheck size={14} stroke={2} aria-hidden="true" />}>
      {words.answers}
    </StatusChip>
  )
}
