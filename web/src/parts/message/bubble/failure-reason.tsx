import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { describeFailure, messageFailureTexts, parseMessageError } from './message-failure-texts.ts'

// Loaded on demand: thirty sentences in three languages that most users never need.
const CloudFailureReason = lazy(() =>
  import('./cloud-failure-reason.tsx').then((module) => ({ default: module.CloudFailureReason })),
)

type Props = {
  error: string | null
  /** The line's name, which a sentence may contain. */
  line?: string
  toSentence?: (why: string) => string
}
const identity = (why: string) => why

/** Why a message was not sent, or its file not downloaded, as text. */
export function FailureReason({ error, line = '', toSentence = identity }: Props) {
  const failures = useTexts(messageFailureTexts)
  const why = describeFailure(failures, error, line)
  if (why !== null) return toSentence(why)
  const { word, code } = parseMessageError(error)
  return (
    <Suspense fallback={toSentence('…')}>
      <CloudFailureReason reason={word} code={code} toSentence={toSentence} />
    </Suspense>
  )
}
