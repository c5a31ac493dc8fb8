import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'

/**
 * For what is chosen from: shown as it is known, and read anew with every opening. Who misses something goes and makes it
 * on another screen, comes back and finds it.
 */
export const refetchOnOpen = { staleTime: 0 } as const

export const useTags = () =>
  useQuery({
    queryKey: ['tags', 'all'],
    queryFn: ({ signal }) => callApi(tagsApi.all, {}, { signal }),
    ...refetchOnOpen,
  })

/** Everybody of the company, also who may not log in any more. */
export const useAllUsers = (enabled = true) =>
  useQuery({
    queryKey: ['users', 'everyone'],
    queryFn: ({ signal }) => callApi(usersApi.everyone, {}, { signal }),
    enabled,
    ...refetchOnOpen,
  })
