import { makePromptBackend } from './ai/prompt.ts'
import type { Bot } from './bot-actions/bot.ts'
import type { BotBackend } from './bot-requests/backend.ts'
import { defaultBots } from './bots/turn.ts'
import { makeIntegrationBackend } from './integrations/integration.ts'
import { allTimers } from './timers/all.ts'
import type { Timer } from './timers/timer.ts'

/**
 * All automations: bots in the order in which they run, the backends they may use, and timers. Each has its own file and
 * an entry here or in its list; nothing else depends on it.
 */
export type AutomationRegistry = {
  bots: readonly Bot[]
  backends: readonly BotBackend[]
  timers: Record<string, Timer>
}

export const defaultRegistry: AutomationRegistry = {
  bots: defaultBots,
  backends: [makePromptBackend(), makeIntegrationBackend()],
  timers: allTimers,
}
