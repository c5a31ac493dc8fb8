import type { PlanFlag } from '@recado/contract/endpoint'
import { can, type Profile, type Rule, type UserAccess } from '@recado/contract/rules'
import type { Icon } from '@tabler/icons-react'
import type { RouteComponent } from '@tanstack/react-router'
import { readStoredText } from './storage.ts'
import type { Texts } from './texts.ts'

/**
 * A screen behind the login: each `features/x/screen.ts` exports one as `screen`, for the router. Every browser
 * loads all of these files before login, so the page itself is lazy (`lazyRouteComponent`) and nothing else is
 * imported. Labels for logged-in users are beside it in `label.ts`.
 */
export type Screen = {
  /** In the router's syntax. `{-$id}` at the end is an optional parameter. */
  path: `/${string}`
  page: RouteComponent
  /** Who may open the screen and sees it in the menu. Absent: all users. */
  gate?: ScreenGate
}

/**
 * The label of a screen, for menu, palette and tab title. `features/x/label.ts` exports it as `label`; it loads
 * after login.
 */
export type ScreenLabel = {
  name: Texts<string>
  /** The name for users of a profile, where it differs. */
  nameByProfile?: Partial<Record<Profile, Texts<string>>>
  /** The entry in the menu; absent for screens that are only linked from other screens. */
  menu?: NavigationItem
}
export type LabeledScreen = Screen & ScreenLabel

/** `flag`: stored in the browser at login if the company has the feature enabled (spec, section 2). */
export type ScreenGate = { rule?: Rule; super?: true; plan?: PlanFlag; flag?: 'cshow' }

export type NavigationItem = {
  section: MenuSection
  /**
   * Position within its section, in tens. work: dashboard 10, live 17, tickets 20, kanban 30, contacts 40, tasks 50,
   * schedules 60, chats 70. automation: campaigns 10, contact lists 20, their settings 30, rules 35, flows 37, prompts 40, quick messages 50.
   * admin: lines 10, test phone 20, queues 30, tags 40, users 50, integrations 60, messages API 70, files 80,
   * announcements 90, invoices 100, the platform's money 110, its health 120, settings 130. foot: helps 10.
   */
  order: number
  icon: Icon
  /** The alert shown beside this entry. */
  alert?: 'lines' | 'unread' | 'chats'
  /** On a phone the three screens with the lowest number are in the bottom bar, beside the notifications. */
  bottomBarOrder?: number
  /** A one-word label for the bottom bar. */
  shortLabel?: Texts<string>
}
/** `foot`: below the others, without a heading. */
export type MenuSection = 'work' | 'automation' | 'admin' | 'foot'

type Plan = Partial<Record<PlanFlag, boolean>> | null

/** Why a user may not open a screen. `unknown`: the plan is not loaded yet. */
export function screenRefusalReason(
  gate: ScreenGate | undefined,
  who: UserAccess,
  plan: Plan,
): 'people' | 'plan' | 'unknown' | null {
  if (gate?.super && !who.super) return 'people'
  if (gate?.rule && !can(who, gate.rule)) return 'people'
  if (gate?.flag && readStoredText(gate.flag) === null) return 'plan'
  if (!gate?.plan) return null
  if (!plan) return 'unknown'
  return plan[gate.plan] ? null : 'plan'
}
