/** What slices tell each other upwards. The teller adds its line here (`declare module`); app.ts wires who listens. */
// biome-ignore lint/suspicious/noEmptyInterface: the floors above fill it
export interface Events {}
export type EventName = keyof Events

export type EventListeners = { [E in EventName]?: ((payload: Events[E]) => Promise<void>)[] }
