import { checkFlow } from '@recado/contract/flows/check-flow'
import { flowsApi } from '@recado/contract/flows/flows'
import { listConditions } from '@recado/contract/views/ticket-conditions'
import { useState } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import { ruleEditorTexts } from '../editor/texts.ts'
import type { useRuleDraft } from '../editor/use-rule-draft.ts'
import { isConditionComplete, isTriggerComplete } from '../rule-draft.ts'

type Options = {
  /** Goes to what keeps the draft from being published. */
  onProblem: () => void
  describeProblems?: (count: number) => string
  failingTests?: number
}

/** Publishes the draft, or goes to the first line that keeps it from being published. */
export function usePublish(
  rule: ReturnType<typeof useRuleDraft>,
  { onProblem, describeProblems, failingTests = 0 }: Options,
) {
  const words = useTexts(ruleEditorTexts)
  const [isPublishing, setPublishing] = useState(false)
  const publish = async () => {
    if (isPublishing) return
    const { document } = rule.draft
    const problems =
      failingTests +
      document.triggers.filter((trigger) => !isTriggerComplete(trigger)).length +
      listConditions(document.conditions).filter((condition) => !isConditionComplete(condition)).length +
      checkFlow(document, rule.flow.hasReplyWindow).filter(({ level }) => level === 'error').length
    if (problems > 0) {
      onProblem()
      toast.warn((describeProblems ?? words.toFix)(problems))
      return
    }
    const { flow, saveState } = rule
    if (saveState === 'saved' && flow.state === 'active' && !flow.hasDraft) {
      toast.info(words.nothingToPublish)
      return
    }
    setPublishing(true)
    try {
      if (!(await rule.flush())) return
      const published = await callApi(flowsApi.publish, {
        params: { id: flow.id },
        body: { revision: rule.revision() },
      })
      rule.adopt(published)
      toast.ok(words.published(published.version?.number ?? 1))
    } catch (error) {
      toast.error(error)
    } finally {
      setPublishing(false)
    }
  }
  return { publish, isPublishing }
}

/** Goes to what repairs the first problem. */
export function showFirstProblem(lines: HTMLElement | null): void {
  const problem = lines?.querySelector<HTMLElement>('[data-problem="error"]')
  problem?.scrollIntoView({ block: 'center' })
  const line = problem?.closest<HTMLElement>('li, [role="group"], section')
  ;(problem?.querySelector<HTMLElement>('button') ?? line?.querySelector<HTMLElement>('button, input'))?.focus()
}
