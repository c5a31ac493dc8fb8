/** Events from a module to higher layers. The emitter declares its event here (`declare module`); app.ts adds listeners. */
// biome-ignore lint/suspicious/noEmptyInterface: the floors above fill it
export interface Events {}
export type EventName = keyof Events

export type EventListeners = { [E in EventName]?: ((payload: Events[E]) => Promise<void>)[] }
