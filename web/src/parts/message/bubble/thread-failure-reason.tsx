import { useMessageContext } from '../message-context.ts'
import { FailureReason } from './failure-reason.tsx'

/** Why something did not go out or did not come, in a sentence of its conversation. */
export function ThreadFailureReason({ error, say }: { error: string | null; say: (why: string) => string }) {
  const { line } = useMessageContext()
  return <FailureReason error={error} line={line} say={say} />
}
