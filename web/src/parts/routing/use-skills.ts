import { skillsApi } from '@recado/contract/routing/skills'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { refetchOnOpen } from '../select-option-queries.ts'

export const skillsKey = ['skills']

/** Every skill of the company. */
export const useSkills = () =>
  useQuery({
    queryKey: skillsKey,
    queryFn: ({ signal }) => callApi(skillsApi.all, {}, { signal }),
    ...refetchOnOpen,
  })
