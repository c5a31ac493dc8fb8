import { type Delivery, type Webhook, type WebhookEvent, webhookEvents } from '@recado/contract/doors/webhooks'

export const eventGroups = ['message', 'ticket', 'contact', 'rating', 'line'] as const
export type EventGroup = (typeof eventGroups)[number]
export const eventsIn = (group: EventGroup): WebhookEvent[] =>
  webhookEvents.filter((event) => event.startsWith(`${group}.`))

/** `message.*` where all of them are told. */
export const eventsShort = (events: readonly WebhookEvent[]): string[] =>
  eventGroups.flatMap((group) => {
    const all = eventsIn(group)
    const told = all.filter((event) => events.includes(event))
    return told.length === all.length && all.length > 1 ? [`${group}.*`] : told
  })

export type HookState = 'off' | 'rests' | 'waiting' | 'ok'
export function stateOf({ active, restsSince, waiting }: Webhook): HookState {
  if (!active) return 'off'
  if (restsSince !== null) return 'rests'
  return waiting > 0 ? 'waiting' : 'ok'
}

export const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** What a delivery is called by: its name, or where it goes. */
export const nameOf = ({ name, url }: Pick<Webhook, 'name' | 'url'>): string => name || url

export const isFine = (status: number): boolean => status >= 200 && status < 300
/** The try that counts: the first that went wrong while it still mattered, else the last. */
export const tryShown = ({ tries }: Delivery): Delivery['tries'][number] | undefined =>
  tries.find(({ status }) => !isFine(status)) ?? tries.at(-1)
