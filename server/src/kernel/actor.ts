import type { Endpoint, KeyScope, PlanFlag } from '@recado/contract/endpoint'
import type { Profile } from '@recado/contract/rules'
import type { Language } from '@recado/contract/users'
import { minutes } from './clock.ts'

/** Whoever is logged in and acts. */
export type Actor = {
  id: number
  companyId: number
  name: string
  email: string
  profile: Profile
  super: boolean
  language: Language | null
  sessionId: string
  /** How often what they log in with had changed when the session's token was made; 0 for keys. */
  credentialVersion: number
  /** What their seat lets them see, as it was when the call came in. */
  allTicket: boolean
  queueIds: number[]
  /** Their company has not paid: they read what is there, and hear of the payment alone. */
  locked?: true
  /** The key a program came with. It acts in the name of who made it, within what the key may. */
  key?: ActingKey
}

export type ActingKey = {
  id: number
  name: string
  scopes: KeyScope[]
  /** The lines it may use; empty: all. */
  whatsappIds: number[]
}

/** A call by somebody, and what their company may use. */
export type AuthContext = {
  actor: Actor
  plan: Partial<Record<PlanFlag, boolean>>
  paid: boolean
  companyActive: boolean
}

/** The way in: turns the header of a call into a visit, or refuses. */
export type Authenticator = {
  fromHeader(header: string | undefined): Promise<AuthContext>
  /** What a program brings: null where it is no key, and a refusal where it is one that does not open this. */
  fromKey(header: string | undefined, endpoint: Endpoint, caller: string): Promise<AuthContext | null>
}

/** A token opens the door for so long, and is renewed in time. */
export const accessTokenTtlMs = minutes(15)
