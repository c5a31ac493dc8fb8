/** What slices tell each other upwards. The teller adds its line here (`declare module`); app.ts wires who listens. */
export interface Events {
  /** A company and everything it had is gone from the database. */
  'company.deleted': { companyId: number }
  'user.deleted': { companyId: number; userId: number }
  /** With its tickets that stand on somebody's screen. */
  'queue.deleted': { companyId: number; queueId: number; ticketIds: number[] }
  'line.deleted': { companyId: number; whatsappId: number; ticketIds: number[] }
}
export type EventName = keyof Events

export type Listeners = { [E in EventName]?: ((payload: Events[E]) => Promise<void>)[] }
