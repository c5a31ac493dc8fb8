import { useCloudFailureText } from './cloud-failure-texts.ts'

/** One of Meta's reasons, with the error number used in Meta's own help. */
export function CloudFailureReason({
  reason,
  code,
  toSentence,
}: {
  reason: string
  code: string
  toSentence: (why: string) => string
}) {
  const why = useCloudFailureText()(reason)
  return toSentence(code ? `${why} (${code})` : why)
}
