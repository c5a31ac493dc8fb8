import type { SettingKey } from '@recado/contract/settings'
import { companyMenuWords, companyRatingTexts, companyTextLookup } from '@recado/contract/text/default-texts'
import type { RatingScale } from '@recado/contract/text/rating-scale'
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
    rating: (scale: RatingScale) => companyRatingTexts(setting, language, scale),
    menu: companyMenuWords(setting, language),
  }
}
export type BotTexts = ReturnType<typeof buildBotTexts>
