import type { FlowNames } from '@recado/contract/flows/flows'
import { useMemo } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { conditionTexts } from '../../../parts/conditions/texts.ts'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { nameOfIn, type Sentences } from './sentences.ts'
import { sentenceTexts } from './texts.ts'

/** What sentences are made of, in the current language. */
export function useSentences(names: FlowNames): Sentences {
  const words = useTexts(sentenceTexts)
  const conditions = useTexts(conditionTexts)
  const priorities = useTexts(priorityTexts).names
  const nameOf = useMemo(() => nameOfIn(names), [names])
  return { words, conditions, priorities, nameOf }
}
