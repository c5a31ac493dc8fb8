import { useTexts } from '../../../lib/texts.ts'
import { useWhy } from '../../../parts/message/bubble/cloud-failure-texts.ts'
import { frameTexts } from './texts.ts'

/** Why a message did not leave, in words; what only the vendor knows, in the vendor's. */
export function useFailure(): (reason: string) => string {
  const words = useTexts(frameTexts)
  const cloud = useWhy()
  return (reason) => {
    const word = reason.split(':')[0] ?? ''
    const ours = (words.failures as Record<string, string>)[word]
    if (ours) return ours
    const theirs = cloud(word)
    return theirs === word ? words.otherFailure : theirs.charAt(0).toUpperCase() + theirs.slice(1)
  }
}
