import type { SettingKey } from '@recado/contract/settings'
import type { Language } from '@recado/contract/users'
import { deskTexts } from './texts.ts'

/** What the house says by itself: in the company's own words where it wrote some, else in ours and its language. */
export function wordingOf(setting: (key: SettingKey) => string, language: Language) {
  const ours = deskTexts[language]
  return {
    accepted: setting('acceptedText') || ours.greeting,
    toQueue: setting('transferQueueText') || ours.toQueue,
    toUser: setting('transferUserText') || ours.toUser,
    toBoth: setting('transferUserText') || ours.toBoth,
    call: setting('callText') || ours.callRefused,
    outOfHours: setting('outOfHoursText') || ours.outOfHours,
    rating: setting('ratingText') || ours.rating,
    ratingAgain: setting('ratingAgainText') || ours.ratingAgain,
    scale: ours.ratingScale.map((word, i) => `*${i + 1}* ${word}`).join('\n'),
    menu: {
      choose: setting('menuText') || ours.choose,
      back: ours.back,
      main: ours.main,
      wrong: setting('wrongAnswerText') || ours.wrong,
      toPerson: setting('handOverText') || ours.toPerson,
    },
  }
}
export type Wording = ReturnType<typeof wordingOf>
