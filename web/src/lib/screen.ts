import type { PlanFlag } from '@recado/contract/endpoint'
import { can, type Rule, type UserAccess } from '@recado/contract/rules'
import type { Icon } from '@tabler/icons-react'
import type { RouteComponent } from '@tanstack/react-router'
import { readStoredText } from './storage.ts'
import type { Texts } from './texts.ts'

/**
 * A screen behind the login, said once: each `features/x/screen.ts` exports one as `screen`, for the router. Every browser
 * loads all of these files before the login: the page itself comes lazily (`lazyRouteComponent`), and nothing else is
 * imported. What is read of it by who is in stands beside it, in `label.ts`.
 */
export type Screen = {
  /** As the router writes it. `{-$id}` at the end is a part that may be missing. */
  path: `/${string}`
  page: RouteComponent
  /** Who may open it; the menu shows it to nobody else. Without it: everybody. */
  gate?: ScreenGate
}

/** `features/x/label.ts` exports it as `label`, for menu, palette and tab title. They come with the shell, after the login. */
export type ScreenLabel = {
  name: Texts<string>
  /** Absent for a screen that others lead to. */
  menu?: NavigationItem
}
export type LabeledScreen = Screen & ScreenLabel

/** `flag`: what a login leaves in the browser where the company has it switched on (spec, section 2). */
export type ScreenGate = { rule?: Rule; super?: true; plan?: PlanFlag; flag?: 'cshow' }

export type NavigationItem = {
  section: MenuSection
  /**
   * Within its section, in tens (spec, section 2). work: dashboard 10, tickets 20, kanban 30, quick messages 40, tasks 50,
   * contacts 60, schedules 70, tags 80, chats 90, helps 100. admin: campaigns 10, contact lists 20, their settings 30,
   * announcements 40, prompts 50, integrations 60, lines 70, test phone 80, files 90, queues 100, users 110,
   * messages API 120, invoices 130, the platform's money 135, its health 137, settings 140.
   */
  order: number
  icon: Icon
  /** What may ask for attention from here. */
  alert?: 'lines' | 'unread' | 'chats'
  /** On a phone the first three of these stand at the bottom, beside the notices: lowest first. */
  handy?: number
  /** Under an icon of that bar there is room for one word. */
  short?: Texts<string>
}
export type MenuSection = 'work' | 'admin'

type Plan = Partial<Record<PlanFlag, boolean>> | null

/** Why somebody may not open it. `unknown`: their plan is not read yet. */
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
