import type { Asker } from './asking/asker.ts'
import type { Bot } from './bots/bot.ts'
import { houseBots } from './bots/turn.ts'
import { makeIntegration } from './machines/integration.ts'
import { makePrompt } from './machines/prompt.ts'
import { allTimers } from './timers/all.ts'
import type { Timer } from './timers/timer.ts'

/**
 * Who works by itself: bots in the order in which they are asked, those whom a bot may ask, and what happens by the
 * clock. One file each, and its line here or in the list it comes from; nothing else has to know of it.
 */
export type Crew = { bots: readonly Bot[]; askers: readonly Asker[]; timers: Record<string, Timer> }

export const houseCrew: Crew = { bots: houseBots, askers: [makePrompt(), makeIntegration()], timers: allTimers }
