import { Skeleton } from '@mantine/core'
import type { Endpoint, Reply } from '@recado/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import cards from '../dashboard.module.css'
import type { Address } from '../use-address.ts'
import { figuresKey, useLooking } from '../use-figures.ts'

type Props<E extends Endpoint> = {
  endpoint: E
  query: Partial<Address> & { day?: string | undefined }
  height: number
  title: string
  children: (data: Reply<E>) => ReactNode
}

/**
 * Reads what a section shows; it follows the desk with the rest of the page. Printing waits while `data-unseen` is in
 * the page (use-printing.ts): here, until the answer to this very query is drawn.
 */
export function Section<E extends Endpoint>({ endpoint, query, height, title, children }: Props<E>) {
  const read = useQuery({
    queryKey: [figuresKey, endpoint.path, query],
    queryFn: ({ signal }) => call(endpoint, { query } as never, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: useLooking(),
  })
  if (read.data)
    return (
      <>
        {read.isPlaceholderData && <span hidden data-unseen />}
        {children(read.data as Reply<E>)}
      </>
    )
  if (!read.isError) return <Skeleton height={height} radius={12} data-unseen />
  return (
    <section className={cards.card} aria-label={title}>
      <ErrorState title={title} error={read.error} onRetry={() => void read.refetch()} />
    </section>
  )
}
