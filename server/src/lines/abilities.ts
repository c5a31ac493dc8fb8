import type { Ability, Provider } from '@recado/contract/connections'

/** What each provider cannot do, here once: the line itself and the screens read the same. */
export const cannot: Record<Provider, readonly Ability[]> = {
  beta: [],
  cloud: ['edit', 'revoke', 'groups', 'profilePicture', 'contacts', 'history'],
  sandbox: ['profilePicture', 'history'],
}
