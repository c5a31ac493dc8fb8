import type { FlowNames } from '@recado/contract/flows/flows'
import { useMemo } from 'react'
import { useAds, useAllUsers, useTags } from '../../../../parts/select-option-queries.ts'
import { useClosingForms } from '../../../../parts/ticket/closing/closing-forms.ts'
import { useQueues } from '../../../../parts/use-queues.ts'

/** The names that the server knows of the saved draft, and of everything that can be chosen now. */
export function useRuleNames(saved: FlowNames): FlowNames {
  const { data: queues } = useQueues()
  const { data: tags } = useTags()
  const { data: users } = useAllUsers()
  const { data: ads } = useAds()
  const forms = useClosingForms()
  return useMemo(() => {
    const named = (entity: FlowNames[number]['entity'], rows: { id: number; name: string }[] = []): FlowNames =>
      rows.map(({ id, name }) => ({ entity, id, name, color: null }))
    return [
      ...named('queue', queues),
      ...named('tag', tags),
      ...named('user', users),
      ...named('ad', ads),
      ...named(
        'closingReason',
        forms.flatMap(({ reasons }) => reasons),
      ),
      ...saved,
    ]
  }, [queues, tags, users, ads, forms, saved])
}
