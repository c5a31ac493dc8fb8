import { useParams } from '@tanstack/react-router'
import { ErrorState } from '../../../ui/error-state.tsx'
import { EditorSkeleton } from '../rules/draft/editor-skeleton.tsx'
import { useFlowOnce } from '../rules/draft/use-flow-once.ts'
import { FlowEditor } from './flow-editor.tsx'

/** A flow: its steps, and beside them what proves that they work. */
export function FlowPage() {
  const { flowId } = useParams({ strict: false })
  const { data, error, refetch } = useFlowOnce(Number(flowId))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <EditorSkeleton />
  return <FlowEditor key={data.id} loaded={data} />
}
