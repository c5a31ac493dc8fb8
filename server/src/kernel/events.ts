/** Events from a module to the layers above. The emitter adds its line here (`declare module`); app.ts wires listeners. */
// biome-ignore lint/suspicious/noEmptyInterface: the floors above fill it
export interface Events {}
export type EventName = keyof Events

export type EventListeners = { [E in EventName]?: ((payload: Events[E]) => Promise<void>)[] }
