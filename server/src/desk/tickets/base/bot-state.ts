const inactiveBotFields = {
  chatbot: false,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  queueOptionId: null,
  botSession: null,
  flowRunId: null,
} as const
/** The bot columns after an agent has taken over: every bot is stopped. */
export const stoppedBotState = { ...inactiveBotFields, botLeft: true } as const
/** The bot columns after the ticket was closed: a customer who returns starts with the bots again. */
export const initialBotState = {
  ...inactiveBotFields,
  botLeft: false,
  botWrong: 0,
  botMenus: 0,
  botMenuAt: null,
  awayTold: null,
  chosenOptionId: null,
} as const
