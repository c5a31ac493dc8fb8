import { type PasswordRule, platformApi } from '@recado/contract/passwords/passwords'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'

export const platformKey = ['platform']

/** Which passwords are taken here. Until we know, what a fresh install takes. */
export function usePasswordRule(): PasswordRule {
  const platform = useQuery({
    queryKey: platformKey,
    queryFn: ({ signal }) => callApi(platformApi.show, {}, { signal }),
  })
  return platform.data?.passwords ?? 'strong'
}
