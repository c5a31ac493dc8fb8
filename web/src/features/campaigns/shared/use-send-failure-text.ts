import { useTexts } from '../../../lib/texts.ts'
import { useCloudFailureText } from '../../../parts/message/bubble/cloud-failure-texts.ts'
import { campaignScreenTexts } from './texts.ts'

/** The reason of a failure as text; for unknown vendor errors, the vendor's text. */
export function useSendFailureText(): (reason: string) => string {
  const words = useTexts(campaignScreenTexts)
  const cloud = useCloudFailureText()
  return (reason) => {
    const word = reason.split(':')[0] ?? ''
    const ours = (words.failures as Record<string, string>)[word]
    if (ours) return ours
    const theirs = cloud(word)
    return theirs === word ? words.otherFailure : theirs.charAt(0).toUpperCase() + theirs.slice(1)
  }
}
