import {
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
} from '@recado/contract/api-access/webhooks'

export const eventGroups = ['message', 'ticket', 'contact', 'rating', 'line'] as const
export type EventGroup = (typeof eventGroups)[number]
export const eventsOfGroup = (group: EventGroup): WebhookEvent[] =>
  webhookEvents.filter((event) => event.startsWith(`${group}.`))

/** Shortens to `message.*` when all events of the group are selected. */
export const shortenEvents = (events: readonly WebhookEvent[]): string[] =>
  eventGroups.flatMap((group) => {
    const all = eventsOfGroup(group)
    const told = all.filter((event) => events.includes(event))
    return told.length === all.length && all.length > 1 ? [`${group}.*`] : told
  })

export type WebhookState = 'off' | 'rests' | 'waiting' | 'ok'
export function getWebhookState({ active, restsSince, waiting }: Webhook): WebhookState {
  if (!active) return 'off'
  if (restsSince !== null) return 'rests'
  return waiting > 0 ? 'waiting' : 'ok'
}

export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** The label of a webhook: its name, or its URL. */
export const webhookName = ({ name, url }: Pick<Webhook, 'name' | 'url'>): string => name || url

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300
/** The attempt to show: the first failed attempt, otherwise the last attempt. */
export const findDecisiveAttempt = ({ tries }: WebhookDelivery): WebhookDelivery['tries'][number] | undefined =>
  tries.find(({ status }) => !isSuccessStatus(status)) ?? tries.at(-1)
