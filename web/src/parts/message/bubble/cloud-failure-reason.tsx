import { useCloudFailureText } from './cloud-failure-texts.ts'

/** One of Meta's reasons, with the error number used in Meta's own help. */
export function CloudFailureReason({
  reason: word,
  code,
  toSentence: say,
}: {
  reason: string
  code: string
  toSentence: (why: string) => string
}) {
  const why = useCloudFailureText()(word)
  return say(code ? `${why} (${code})` : why)
}
