const inactiveBotFields = {
  chatbot: false,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  queueOptionId: null,
  botSession: null,
} as const
/** An agent takes over: every bot stops in the same statement. */
export const stoppedBotState = { ...inactiveBotFields, botLeft: true } as const
/** The ticket is closed: a customer who returns starts with the bots again. */
export const initialBotState = {
  ...inactiveBotFields,
  botLeft: false,
  botWrong: 0,
  botMenus: 0,
  botMenuAt: null,
  awayTold: null,
} as const
