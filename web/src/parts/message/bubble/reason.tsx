import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useScene } from '../scene.ts'
import { failureTexts, readError, reasonOf } from './failure-texts.ts'

// Thirty sentences in three languages that most people never need.
const CloudReason = lazy(() => import('./cloud-reason.tsx').then((module) => ({ default: module.CloudReason })))

type Say = (why: string) => string

/** Why something did not go out or did not come, in a sentence. */
export function Reason({ error, say }: { error: string | null; say: Say }) {
  const failures = useTexts(failureTexts)
  const { line } = useScene()
  const why = reasonOf(failures, error, line)
  if (why !== null) return say(why)
  const { word, code } = readError(error)
  return (
    <Suspense fallback={say('…')}>
      <CloudReason word={word} code={code} say={say} />
    </Suspense>
  )
}
