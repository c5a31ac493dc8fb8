import { absentAgentTimer } from './absent-agents.ts'
import { campaignConfirmationTimer, campaignRecountTimer, campaignSendTimer, campaignStartTimer } from './campaigns.ts'
import { flowTimer } from './flows.ts'
import { goalTimer } from './goals.ts'
import { laneMessageTimer, laneMoveTimer } from './lanes.ts'
import { offerTimer } from './offers.ts'
import { inactivityTimer, offlineTimer, shiftTimer } from './presence.ts'
import { ratingExpiryTimer } from './rating.ts'
import { scheduleResultTimer, scheduleSendTimer } from './schedules.ts'
import { snoozeTimer } from './snooze.ts'
import { ticketExpiryTimer } from './ticket-expiry.ts'
import type { Timer } from './timer.ts'
import { unqueuedTransferTimer } from './unqueued-transfer.ts'

/** All timers. A new timer needs one file and an entry here. */
export const allTimers = {
  expires: ticketExpiryTimer,
  waits: unqueuedTransferTimer,
  rating: ratingExpiryTimer,
  goals: goalTimer,
  flows: flowTimer,
  laneWords: laneMessageTimer,
  laneCarry: laneMoveTimer,
  snoozes: snoozeTimer,
  offers: offerTimer,
  schedules: scheduleSendTimer,
  scheduled: scheduleResultTimer,
  offline: offlineTimer,
  inactivity: inactivityTimer,
  shifts: shiftTimer,
  absentAgents: absentAgentTimer,
  campaignBegins: campaignStartTimer,
  campaignSends: campaignSendTimer,
  campaignNumbers: campaignRecountTimer,
  campaignQuestions: campaignConfirmationTimer,
} satisfies Record<string, Timer>
