import { defaultCampaignSettings } from '@recado/contract/campaigns/settings'
import { type SettingKey, settingDefinitions } from '@recado/contract/settings'
import type { TicketDetail } from '@recado/contract/tickets'
import type { Turn } from '../src/automation/bot-actions/bot.ts'
import type { BotState } from '../src/automation/bot-actions/bot-state.ts'
import type { LineRules, QueueRules, Rulebook } from '../src/automation/rulebook.ts'
import { buildBotTexts } from '../src/desk/bot-texts.ts'
import { buildCampaignKeywords } from '../src/desk/campaigns/replies.ts'

type TurnOverrides = {
  settings?: Partial<Record<SettingKey, string>>
  line?: Partial<LineRules>
  queues?: QueueRules[]
  rulebook?: Partial<Rulebook>
  ticket?: Partial<TicketDetail>
  state?: Partial<BotState>
} & Partial<Pick<Turn, 'text' | 'writtenAt' | 'now' | 'isReopened' | 'pendingRating'>>

export const makeQueueRules = (id: number, more: Partial<QueueRules> = {}): QueueRules => ({
  id,
  name: `Cola ${id}`,
  greetingMessage: '',
  outOfHoursMessage: '',
  promptId: null,
  integrationId: null,
  schedules: [],
  options: [],
  ...more,
})

/** A bot turn without a server: a new ticket on a line with default settings, unless overridden. */
export function makeTurn({
  settings = {},
  queues = [],
  line: lineOverrides,
  rulebook,
  ticket: ticketOverrides,
  state,
  ...turnFields
}: TurnOverrides = {}): Turn {
  const setting = (key: SettingKey) => settings[key] ?? settingDefinitions[key].default
  const now = turnFields.now ?? new Date('2026-11-13T15:00:00Z')
  const line: LineRules = {
    id: 1,
    greetingMessage: '',
    outOfHoursMessage: '',
    transferQueueId: null,
    timeUseBotQueues: 0,
    maxUseBotQueues: 3,
    promptId: null,
    integrationId: null,
    queueIds: queues.map((q) => q.id),
    ...lineOverrides,
  }
  const ticket = {
    id: 7,
    status: 'pending',
    userId: null,
    queueId: null,
    isGroup: false,
    chatbot: false,
    ...ticketOverrides,
  }
  return {
    rulebook: {
      version: 1,
      setting,
      language: 'es',
      zone: 'America/Argentina/Buenos_Aires',
      week: [],
      holidays: [],
      queues: new Map(queues.map((q) => [q.id, q])),
      lines: new Map([[1, line]]),
      flows: [],
      botTexts: buildBotTexts(setting, 'es'),
      campaigns: buildCampaignKeywords(defaultCampaignSettings, 'es', false),
      ...rulebook,
    },
    line,
    ticket: ticket as TicketDetail,
    state: {
      chatbot: ticket.chatbot,
      queueOptionId: null,
      botWrong: 0,
      botMenus: 0,
      botMenuAt: null,
      botLeft: false,
      awayTold: null,
      saidAt: null,
      flowRunId: null,
      disableBot: false,
      ...state,
    },
    text: 'hola',
    writtenAt: now,
    now,
    isReopened: false,
    pendingRating: null,
    ...turnFields,
  }
}
