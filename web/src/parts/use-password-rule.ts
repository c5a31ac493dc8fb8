import { type PasswordRule, platformApi } from '@recado/contract/passwords/passwords'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'

export const platformKey = ['platform']

/** The current password rule. Until it is loaded, the rule of a fresh install is used. */
export function usePasswordRule(): PasswordRule {
  const platform = useQuery({
    queryKey: platformKey,
    queryFn: ({ signal }) => callApi(platformApi.show, {}, { signal }),
  })
  return platform.data?.passwords ?? 'strong'
}
