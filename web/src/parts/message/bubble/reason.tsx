import { useMessageContext } from '../scene.ts'
import { FailureReason } from './why.tsx'

/** Why something did not go out or did not come, in a sentence of its conversation. */
export function ThreadFailureReason({ error, say }: { error: string | null; say: (why: string) => string }) {
  const { line } = useMessageContext()
  return <FailureReason error={error} line={line} say={say} />
}
