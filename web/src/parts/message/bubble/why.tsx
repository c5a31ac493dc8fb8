import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { failureTexts, readError, reasonOf } from './failure-texts.ts'

// Thirty sentences in three languages that most people never need.
const CloudReason = lazy(() => import('./cloud-reason.tsx').then((module) => ({ default: module.CloudReason })))

type Props = {
  error: string | null
  /** The line it went by, where a sentence may name it. */
  line?: string
  say?: (why: string) => string
}
const itself = (why: string) => why

/** Why a message did not leave, or its file did not come, in words. */
export function Why({ error, line = '', say = itself }: Props) {
  const failures = useTexts(failureTexts)
  const why = reasonOf(failures, error, line)
  if (why !== null) return say(why)
  const { word, code } = readError(error)
  return (
    <Suspense fallback={say('…')}>
      <CloudReason word={word} code={code} say={say} />
    </Suspense>
  )
}
