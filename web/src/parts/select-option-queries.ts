import { adsApi } from '@recado/contract/campaigns/ads'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'

/**
 * For selects: cached options are shown, and reloaded at every opening. A user who misses an option can create it on
 * another screen, and finds it after returning.
 */
export const refetchOnOpen = { staleTime: 0 } as const

export const useTags = () =>
  useQuery({
    queryKey: ['tags', 'all'],
    queryFn: ({ signal }) => callApi(tagsApi.all, {}, { signal }),
    ...refetchOnOpen,
  })

/** All users of the company, including deactivated users. */
export const useAllUsers = (enabled = true) =>
  useQuery({
    queryKey: ['users', 'everyone'],
    queryFn: ({ signal }) => callApi(usersApi.everyone, {}, { signal }),
    enabled,
    ...refetchOnOpen,
  })

/** The ads that brought customers. */
export const useAds = () =>
  useQuery({
    queryKey: ['ads'],
    queryFn: async ({ signal }) =>
      (await callApi(adsApi.list, {}, { signal })).ads.map(({ id, title }) => ({ id, name: title })),
    ...refetchOnOpen,
  })
