import type { Endpoint, KeyScope, PlanFlag } from '@recado/contract/endpoint'
import type { Profile } from '@recado/contract/rules'
import type { Language } from '@recado/contract/users'
import { minutes } from './clock.ts'

/** The logged-in user who acts. */
export type Actor = {
  id: number
  companyId: number
  name: string
  email: string
  profile: Profile
  super: boolean
  language: Language | null
  sessionId: string
  /** The user's credential version when the session's token was created; 0 for keys. */
  credentialVersion: number
  /** The user's ticket visibility at the start of the call. */
  allTicket: boolean
  queueIds: number[]
  /** Set if the user's company has not paid: the user can only read, and gets only payment events. */
  locked?: true
  /** The API key of the call. It acts in the name of its creator, within the key's permissions. */
  key?: ActingKey
}

export type ActingKey = {
  id: number
  name: string
  scopes: KeyScope[]
  /** The lines that the key may use; empty: all. */
  whatsappIds: number[]
}

/** An authenticated call, and the features of the company's plan. */
export type AuthContext = {
  actor: Actor
  plan: Partial<Record<PlanFlag, boolean>>
  isPaid: boolean
  companyActive: boolean
  /** Set if the caller used the token of a line, as programs for older servers do. */
  isLineToken?: true
}

/** Authentication: turns the header of a call into an `AuthContext`, or refuses the call. */
export type Authenticator = {
  fromHeader(header: string | undefined): Promise<AuthContext>
  /** Authenticates an API key: null if the header has none; refuses a key without permission for the endpoint. */
  fromKey(header: string | undefined, endpoint: Endpoint, caller: string): Promise<AuthContext | null>
}

/** Lifetime of an access token; clients renew it in time. */
export const accessTokenTtlMs = minutes(15)
