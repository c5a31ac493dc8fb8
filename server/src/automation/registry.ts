import { makePromptBackend } from './ai/prompt.ts'
import type { BotBackend } from './bot-requests/backend.ts'
import type { Bot } from './bots/bot.ts'
import { defaultBots } from './bots/turn.ts'
import { makeIntegrationBackend } from './integrations/integration.ts'
import { allTimers } from './timers/all.ts'
import type { Timer } from './timers/timer.ts'

/**
 * Who works by itself: bots in the order in which they are asked, those whom a bot may ask, and what happens by the
 * clock. One file each, and its line here or in the list it comes from; nothing else has to know of it.
 */
export type AutomationRegistry = { bots: readonly Bot[]; askers: readonly BotBackend[]; timers: Record<string, Timer> }

export const defaultRegistry: AutomationRegistry = {
  bots: defaultBots,
  askers: [makePromptBackend(), makeIntegrationBackend()],
  timers: allTimers,
}
