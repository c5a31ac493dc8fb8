import { campaignBegins, campaignNumbers, campaignQuestions, campaignSends } from './campaigns.ts'
import { expires } from './expires.ts'
import { goals } from './goals.ts'
import { laneCarry, laneWords } from './lanes.ts'
import { rating } from './rating.ts'
import { scheduled, schedules } from './schedules.ts'
import type { Timer } from './timer.ts'
import { waits } from './waits.ts'

/** All that happens by the clock. What is to happen so is one file and its line here. */
export const allTimers = {
  expires,
  waits,
  rating,
  goals,
  laneWords,
  laneCarry,
  schedules,
  scheduled,
  campaignBegins,
  campaignSends,
  campaignNumbers,
  campaignQuestions,
} satisfies Record<string, Timer>
