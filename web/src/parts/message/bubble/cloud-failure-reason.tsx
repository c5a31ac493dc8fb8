import { useCloudFailureText } from './cloud-failure-texts.ts'

/** One of Meta's reasons, with the number by which their own help knows it. */
export function CloudFailureReason({ word, code, say }: { word: string; code: string; say: (why: string) => string }) {
  const why = useCloudFailureText()(word)
  return say(code ? `${why} (${code})` : why)
}
