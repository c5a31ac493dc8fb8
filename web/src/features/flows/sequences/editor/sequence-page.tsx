import { useParams } from '@tanstack/react-router'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { EditorSkeleton } from '../../rules/draft/editor-skeleton.tsx'
import { useFlowOnce } from '../../rules/draft/use-flow-once.ts'
import { SequenceEditor } from './sequence-editor.tsx'

/** A sequence: its steps on the left, on the right what came of them. */
export function SequencePage() {
  const { sequenceId } = useParams({ strict: false })
  const { data, error, refetch } = useFlowOnce(Number(sequenceId))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <EditorSkeleton />
  return <SequenceEditor key={data.id} loaded={data} />
}
