import { useWhy } from './cloud-failure-texts.ts'

/** One of Meta's reasons, with the number by which their own help knows it. */
export function CloudReason({ word, code, say }: { word: string; code: string; say: (why: string) => string }) {
  const why = useWhy()(word)
  return say(code ? `${why} (${code})` : why)
}
