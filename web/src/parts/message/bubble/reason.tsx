import { useScene } from '../scene.ts'
import { Why } from './why.tsx'

/** Why something did not go out or did not come, in a sentence of its conversation. */
export function Reason({ error, say }: { error: string | null; say: (why: string) => string }) {
  const { line } = useScene()
  return <Why error={error} line={line} say={say} />
}
