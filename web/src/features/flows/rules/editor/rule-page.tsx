import { useParams } from '@tanstack/react-router'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { EditorSkeleton } from '../draft/editor-skeleton.tsx'
import { useFlowOnce } from '../draft/use-flow-once.ts'
import { RuleEditor } from './rule-editor.tsx'

/** A rule: its sentence on the left, on the right what it would have done. */
export function RulePage() {
  const { ruleId } = useParams({ strict: false })
  const { data, error, refetch } = useFlowOnce(Number(ruleId))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <EditorSkeleton />
  return <RuleEditor key={data.id} loaded={data} />
}
