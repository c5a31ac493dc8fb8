import type { SettingKey } from '@recado/contract/settings'
import type { Language } from '@recado/contract/users'
import { houseWords, menuWords, wordsOf } from '@recado/contract/words/house-words'

/** What the house says by itself: in the company's own words where it wrote some, else in ours and its language. */
export function wordingOf(setting: (key: SettingKey) => string, language: Language) {
  const words = wordsOf(setting, language)
  return {
    accepted: words('acceptedText'),
    toQueue: words('transferQueueText'),
    toUser: words('transferUserText'),
    toBoth: words('transferBothText'),
    call: words('callText'),
    outOfHours: words('outOfHoursText'),
    rating: words('ratingText'),
    ratingAgain: words('ratingAgainText'),
    scale: houseWords[language].ratingScale.map((word, i) => `*${i + 1}* ${word}`).join('\n'),
    menu: menuWords(setting, language),
  }
}
export type Wording = ReturnType<typeof wordingOf>
