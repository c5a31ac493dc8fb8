import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import type { referencedEntities } from '@recado/contract/flows/flow-references'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../../lib/api.ts'
import { refetchOnOpen, useAllUsers, useTags } from '../../../../parts/select-option-queries.ts'
import { useClosingForms } from '../../../../parts/ticket/closing/closing-forms.ts'
import type { Choice } from '../../../../parts/token/choice-list.tsx'
import { useQueues } from '../../../../parts/use-queues.ts'

type Named = { id: number; name: string; color?: string | null }
const toChoice = ({ id, name, color }: Named): Choice => ({ value: String(id), name, color })

export type ChosenEntity = Extract<
  (typeof referencedEntities)[number],
  'queue' | 'tag' | 'user' | 'closingReason' | 'campaign'
>
/** `lanes`: the tags that are lanes of the board; otherwise all others. */
type Options = { lanes?: boolean | undefined }

/** What exists now of a kind that a rule can name; undefined while it loads. */
export function useChoices(entity: ChosenEntity, { lanes = false }: Options = {}): Choice[] | undefined {
  const { data: queues } = useQueues(entity === 'queue')
  const { data: tags } = useTags()
  const { data: users } = useAllUsers(entity === 'user')
  const forms = useClosingForms()
  const { data: campaigns } = useQuery({
    queryKey: ['campaigns', 'names'],
    queryFn: async ({ signal }) => (await callApi(campaignsApi.list, { query: { pageNumber: 1 } }, { signal })).records,
    enabled: entity === 'campaign',
    ...refetchOnOpen,
  })
  switch (entity) {
    case 'queue':
      return queues?.map(toChoice)
    case 'tag':
      return tags?.filter(({ kanban }) => (kanban === 1) === lanes).map(toChoice)
    case 'user':
      return users?.map(({ id, name }) => toChoice({ id, name }))
    case 'closingReason':
      return forms.flatMap(({ reasons }) => reasons.map(({ id, name }) => toChoice({ id, name })))
    case 'campaign':
      return campaigns?.map(({ id, name }) => toChoice({ id, name }))
  }
}
