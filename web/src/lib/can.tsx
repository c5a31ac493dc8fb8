import { can, type Rule } from '@recado/contract/rules'
import type { ReactNode } from 'react'
import { useSession } from './session.tsx'

/** Whether the logged-in user has this permission. The server uses the same table. */
export function useCan(): (rule: Rule) => boolean {
  const { user } = useSession()
  return (rule) => user !== null && can(user, rule)
}

export function useIsSuper(): boolean {
  return useSession().user?.super === true
}

export function Can({ rule, children }: { rule: Rule; children: ReactNode }): ReactNode {
  return useCan()(rule) ? children : null
}
