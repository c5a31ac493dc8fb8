import type { SettingKey } from '@recado/contract/settings'
import { companyMenuWords, companyTextLookup, defaultTexts } from '@recado/contract/text/default-texts'
import type { Language } from '@recado/contract/users'

/** Automatic texts: the company's own if set, else the default in its language. */
export function buildBotTexts(setting: (key: SettingKey) => string, language: Language) {
  const words = companyTextLookup(setting, language)
  return {
    accepted: words('acceptedText'),
    toQueue: words('transferQueueText'),
    toUser: words('transferUserText'),
    toBoth: words('transferBothText'),
    call: words('callText'),
    outOfHours: words('outOfHoursText'),
    rating: words('ratingText'),
    ratingAgain: words('ratingAgainText'),
    scale: defaultTexts[language].ratingScale.map((word, i) => `*${i + 1}* ${word}`).join('\n'),
    menu: companyMenuWords(setting, language),
  }
}
export type BotTexts = ReturnType<typeof buildBotTexts>
