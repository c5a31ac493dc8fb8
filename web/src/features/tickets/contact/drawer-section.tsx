import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import classes from './contact-drawer.module.css'
import { texts } from './texts.ts'

type Props = {
  title: string
  count?: number | undefined
  state: { isPending: boolean; isError: boolean; refetch: () => unknown }
  /** Shown when the section is empty. */
  emptyText?: string | false
  /** The reason of a load failure, if known. */
  failureText?: string | undefined
  /** Shown below the content in every state. */
  footer?: ReactNode
  children: ReactNode
}

/** One section of the drawer. Each section loads, fails and retries independently. */
export function DrawerSection({ title, count, state, emptyText, failureText, footer, children }: Props) {
  const words = useTexts(texts)
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id} aria-busy={state.isPending}>
      <h3 className={classes.heading} id={id}>
        {title}
        {count ? <CountBadge value={count} /> : null}
      </h3>
      {state.isPending && <SectionSkeleton />}
      {state.isError && (
        <div className={classes.failed} role="alert">
          {failureText ?? words.failed}
          <Button size="xs" variant="default" onClick={() => void state.refetch()}>
            {words.retry}
          </Button>
        </div>
      )}
      {!state.isPending && !state.isError && (emptyText ? <p className={classes.empty}>{emptyText}</p> : children)}
      {footer}
    </section>
  )
}

/** The skeleton appears only after 200 ms. */
function SectionSkeleton() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.bones} data-late={late || undefined}>
      <Skeleton height={12} width="72%" />
      <Skeleton height={12} width="54%" />
    </div>
  )
}

type MoreProps = { query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }
/** Loads the next page on a click. */
export function LoadMoreButton({ query }: MoreProps) {
  const words = useTexts(texts)
  if (!query.hasNextPage) return null
  return (
    <Button
      className={classes.more ?? ''}
      size="xs"
      variant="subtle"
      color="gray"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {words.more}
    </Button>
  )
}
