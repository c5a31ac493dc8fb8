import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { describeFailure, messageFailureTexts, parseMessageError } from './message-failure-texts.ts'

// Thirty sentences in three languages that most people never need.
const CloudFailureReason = lazy(() =>
  import('./cloud-failure-reason.tsx').then((module) => ({ default: module.CloudFailureReason })),
)

type Props = {
  error: string | null
  /** The line it went by, where a sentence may name it. */
  line?: string
  say?: (why: string) => string
}
const identity = (why: string) => why

/** Why a message did not leave, or its file did not come, in words. */
export function FailureReason({ error, line = '', say = identity }: Props) {
  const failures = useTexts(messageFailureTexts)
  const why = describeFailure(failures, error, line)
  if (why !== null) return say(why)
  const { word, code } = parseMessageError(error)
  return (
    <Suspense fallback={say('…')}>
      <CloudFailureReason word={word} code={code} say={say} />
    </Suspense>
  )
}
