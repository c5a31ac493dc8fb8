import { useMessageContext } from '../message-context.ts'
import { FailureReason } from './failure-reason.tsx'

/** Why sending or downloading failed, as a sentence. */
export function ThreadFailureReason({
  error,
  toSentence,
}: {
  error: string | null
  toSentence: (why: string) => string
}) {
  const { line } = useMessageContext()
  return <FailureReason error={error} line={line} toSentence={toSentence} />
}
