const inactiveBotFields = {
  chatbot: false,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  queueOptionId: null,
  botSession: null,
} as const
/** A person takes over: every bot falls silent in the same statement. */
export const stoppedBotState = { ...inactiveBotFields, botLeft: true } as const
/** It is over: whoever comes back to it is a new guest of the bots. */
export const initialBotState = {
  ...inactiveBotFields,
  botLeft: false,
  botWrong: 0,
  botMenus: 0,
  botMenuAt: null,
  awayTold: null,
} as const
